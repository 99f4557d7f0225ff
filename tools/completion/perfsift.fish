# fish completion for perfsift. The program says what to offer: see perfsift-completion(1).

function __perfsift_offers
    set -l words (commandline --current-process --tokenize --cut-at-cursor)
    set -l current (commandline --current-token --cut-at-cursor)
    for offer in ($words[1] completion offer $words[2..-1] (string unescape -- "$current"; or echo "$current") 2>/dev/null)
        if string match --quiet --regex '^\t' -- $offer # files, too
            __fish_complete_path $current
        else
            echo $offer
        end
    end
end

complete --command perfsift --no-files --arguments '(__perfsift_offers)'
