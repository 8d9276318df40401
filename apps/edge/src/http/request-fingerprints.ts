import { createHmac } from 'node:crypto';
import { canonicalJson, parseJson } from '@parlance/service-kit';

export interface KeyedRequest {
  /** Who asks, as far as the edge can tell. */
  readonly asker: object;
  readonly method: string;
  /** The path's pattern, and what stood in it. */
  readonly path: string;
  readonly params: object;
  readonly key: string;
}

/** Tells requests apart without keeping them. By a secret, since a body may hold a password that could be guessed from a plain hash. */
export class RequestFingerprints {
  constructor(private readonly secret: Uint8Array) {}

  /** Under which an `Idempotency-Key` is remembered: nobody meets another's, nor one's own of another path. */
  ofKey({ asker, method, path, params, key }: KeyedRequest): string {
    return this.of(canonicalJson([asker, method, path, params, key]));
  }

  /** Equal for requests that ask for the same: the order of names and the white space of JSON ask for nothing. */
  ofRequest(url: string, body: Buffer): string {
    const query = url.split('?', 2)[1] ?? '';
    return this.of(Buffer.concat([Buffer.from(`${query}\n`), canonicalBytes(body)]));
  }

  private of(text: string | Buffer): string {
    return createHmac('sha256', this.secret).update(text).digest('hex');
  }
}

function canonicalBytes(body: Buffer): Buffer {
  try {
    return Buffer.from(canonicalJson(parseJson(body)));
  } catch {
    // No JSON, or none that a service takes.
    return body;
  }
}
