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

/** Requests of one batch. */
export const MAX_BATCH_LINES = 10_000;
/** Bytes of one request of a batch. */
export const MAX_BATCH_LINE_BYTES = MIB;
/** Bytes of one answer in the results of a batch. */
export const MAX_BATCH_ANSWER_BYTES = 4 * MIB;
/** Characters of the ID that a program gives a request. */
export const MAX_CUSTOM_ID = 512;
/** Batches of one user that have not ended. */
export const MAX_OPEN_BATCHES = 20;
/** How long a batch may take. OpenAI's `24h`. */
export const BATCH_MILLIS = 86_400_000;
/** How long a batch that has ended is listed. */
export const ENDED_BATCH_MILLIS = 30 * 86_400_000;
/** How long the answers of a batch are kept while they cannot be put into files. As long as the files would be kept. */
export const FINALIZING_MILLIS = GATEWAY_FILE_SECONDS * 1_000;
/** How many workers may begin a batch without any progress, one after another, before no further request is sent. */
export const MOST_BATCH_ATTEMPTS = 30;
/** Workers of one batch whose files are looked for. Each removes its own, unless it crashes. */
export const MOST_LOST_WORKERS = 20;
/** Errors of an input file that are recorded. */
export const MOST_BATCH_ERRORS = 100;
