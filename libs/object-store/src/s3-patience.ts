import { Readable } from 'node:stream';
import { type PutObjectCommand, type S3Client, S3ServiceException, type UploadPartCommand } from '@aws-sdk/client-s3';
import { afterSilence } from '@parlance/event-loop';
import { StoreUnavailable } from './object-store.ts';

/** Progress of a request body is noticed after each of these. */
const SLICE_BYTES = 64 * 1024;
/** Bytes that were sent may still be in buffers on the way, or have to be copied by the store, so they add to the time for the next progress. */
const BYTES_PER_MILLI = 4 * 1024;

/**
 * Runs a request that gets no longer than this without progress, with all repeats by the SDK. Rejects with `StoreUnavailable` after that time, when
 * the store cannot be reached, and when it answers with an error of its own (5xx). `progress` starts the time again; `sent` is the number of bytes that were sent.
 */
export async function answered<Answer>(
  millis: number,
  request: (abortSignal: AbortSignal, progress: (sent: number) => void) => Promise<Answer>,
): Promise<Answer> {
  const ended = new AbortController();
  const { promise: silence, reject } = Promise.withResolvers<never>();
  let stopWaiting = () => undefined as void;
  let isOver = false;
  const progress = (sent: number) => {
    // An answer may come before the end of the body.
    if (isOver) return;
    stopWaiting();
    const wait = millis + sent / BYTES_PER_MILLI;
    stopWaiting = afterSilence(wait, () => {
      reject(silent(wait));
      ended.abort();
    });
  };
  progress(0);
  try {
    // The signal does not end everything that the SDK waits for, such as credentials.
    return await Promise.race([request(ended.signal, progress), silence]);
  } catch (error) {
    throw isOfStore(error) ? new StoreUnavailable(error) : error;
  } finally {
    isOver = true;
    stopWaiting();
  }
}

/** Sends a body that is in memory, so the SDK can send it again. Each piece that the connection takes is progress. */
export function uploaded(
  client: S3Client,
  millis: number,
  command: PutObjectCommand | UploadPartCommand,
): Promise<{ ETag?: string | undefined }> {
  // Both commands are handled alike, but their types are not compatible.
  const upload = command as PutObjectCommand;
  return answered(millis, (abortSignal, progress) => {
    upload.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as { readonly body?: unknown };
        if (!(request.body instanceof Uint8Array) || request.body.length <= SLICE_BYTES) return next(args);
        const body = Readable.from(slices(request.body, progress), { objectMode: false, highWaterMark: SLICE_BYTES });
        return next({ ...args, request: { ...request, body } });
      },
      // After the body was signed.
      { step: 'deserialize', priority: 'low', name: 'progress', override: true },
    );
    return client.send(upload, { abortSignal });
  });
}

function* slices(body: Uint8Array, progress: (sent: number) => void): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += SLICE_BYTES) {
    progress(at + SLICE_BYTES);
    yield body.subarray(at, at + SLICE_BYTES);
  }
}

/**
 * The body of an answer, which fails with `StoreUnavailable` when its reader has waited this long for the next piece. A reader may take any time.
 */
export function watchedBody(source: Readable, millis: number): Readable {
  let waiting: (() => void) | undefined;
  const stopWaiting = () => {
    waiting?.();
    waiting = undefined;
  };
  const body = new Readable({
    read() {
      waiting ??= afterSilence(millis, () => body.destroy(silent(millis)));
      source.resume();
    },
    destroy(error, done) {
      stopWaiting();
      source.destroy();
      done(error !== null && isOfStore(error) ? new StoreUnavailable(error) : error);
    },
  });
  source.on('data', (piece) => {
    stopWaiting();
    if (!body.push(piece)) source.pause();
  });
  source.once('end', () => {
    stopWaiting();
    body.push(null);
  });
  source.on('error', (error) => body.destroy(error));
  source.pause();
  return body;
}

const silent = (millis: number) => new StoreUnavailable(`no answer in ${Math.round(millis)} ms`);

/** Not a refusal of the request, and not an error of this program. Credentials that are refused or missing are corrected by an operator. */
function isOfStore(error: unknown): boolean {
  if (error instanceof S3ServiceException) {
    const { httpStatusCode: status = 0 } = error.$metadata;
    return status >= 500 || status === 401 || status === 403;
  }
  const { code, name } = error as NodeJS.ErrnoException;
  return name === 'TimeoutError' || name === 'CredentialsProviderError' || (typeof code === 'string' && NETWORK.test(code));
}

const NETWORK = /^(E(CONN|PIPE|HOST|NET|AI_|ADDR|NOTFOUND|TIMEDOUT)|ERR_STREAM_PREMATURE_CLOSE)/;
