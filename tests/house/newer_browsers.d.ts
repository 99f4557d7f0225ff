// Declarations of browsers that the TypeScript of Debian 12 does not know.
declare const DecompressionStream: any;
