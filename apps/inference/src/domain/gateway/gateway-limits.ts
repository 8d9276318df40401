const MIB = 1024 * 1024;

/** Files of one user that exist at the same time. The state of the stream has them all. */
export const MAX_GATEWAY_FILES = 500;
/** Bytes of one uploaded file. */
export const MAX_GATEWAY_FILE_BYTES = 25 * MIB;
/** Bytes of all files of one user. */
export const MAX_GATEWAY_BYTES = 1024 * MIB;
/** Bytes of a file name in UTF-8. */
export const MAX_GATEWAY_FILE_NAME = 255;
/** How long a file is kept if its upload does not say. */
export const GATEWAY_FILE_SECONDS = 30 * 86_400;
/** The shortest time that an upload may name. */
export const LEAST_GATEWAY_FILE_SECONDS = 3_600;
