import type { IncomingMessage } from 'node:http';

/** The longest body that is kept until its answer ends, in bytes. Nearly all bodies are shorter, except files. */
export const LONGEST_KEPT_BODY = 16 * 1024;

/** The bytes of a short body that has arrived completely, which can be sent again. Otherwise null: the body is sent from the request, once. */
export function keptBodyOf(req: IncomingMessage): Buffer | null {
  const { complete, readableLength } = req;
  return complete && readableLength > 0 && readableLength <= LONGEST_KEPT_BODY ? (req.read() as Buffer) : null;
}
