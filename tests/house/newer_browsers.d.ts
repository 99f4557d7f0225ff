// What browsers have, and Debian 12's TypeScript does not know.
declare const DecompressionStream: any;
