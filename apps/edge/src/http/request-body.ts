import type { IncomingMessage } from 'node:http';
import { refuse } from '@parlance/decider';

/** Whether a request says that it has a body; one of no bytes in chunks is found out only by reading. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/**
 * The whole body of a request, which stays to be read as if nobody had looked. Null when it is larger than `most`: what has
 * been gathered is put back, and the rest streams on behind it. Rejects with the refusal `malformed_request` (invalid) when
 * the client goes away in the middle.
 */
export async function bodyOf(req: IncomingMessage, most: number): Promise<Buffer | null> {
  if (Number(req.headers['content-length']) > most) return null;
  // A small body comes with its headers, but Node tells of it only when it is done with those. Waiting for its event instead
  // costs three times as much.
  if (!req.complete) await new Promise((resolve) => setImmediate(resolve));
  return req.complete ? peeked(req, most) : gathered(req, most);
}

function gathered(req: IncomingMessage, most: number): Promise<Buffer | null> {
  if (req.destroyed) throw brokenOff();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: () => void) => {
      req.off('readable', look).off('close', leave);
      outcome();
    };
    const leave = () => settle(() => reject(brokenOff()));
    const look = () => {
      // Nothing is read at the end: a stream that is read there ends, and then nothing can be put back.
      if (req.readableLength > 0) {
        const chunk = req.read() as Buffer;
        chunks.push(chunk);
        size += chunk.length;
      }
      if (!req.complete && size <= most) return;
      const bytes = Buffer.concat(chunks);
      // In the same tick as the reading, for the same reason.
      if (size > 0) req.unshift(bytes);
      settle(() => resolve(size <= most ? bytes : null));
    };
    req.on('readable', look).on('close', leave);
  });
}

function peeked(req: IncomingMessage, most: number): Buffer | null {
  const { readableLength } = req;
  if (readableLength === 0) return Buffer.alloc(0);
  if (readableLength > most) return null;
  const bytes = req.read() as Buffer;
  req.unshift(bytes);
  return bytes;
}

/** Puts other bytes in the place of a body that `bodyOf` has given. */
export function replaceBody(req: IncomingMessage, bytes: Buffer): void {
  req.read();
  req.unshift(bytes);
  delete req.headers['transfer-encoding'];
  req.headers['content-length'] = String(bytes.length);
}

const brokenOff = () => refuse('invalid', 'malformed_request', 'The request broke off.');
