import { createHmac, type Hmac } from 'node:crypto';
import { canonicalJson, IN_ONE_TURN, parseJson } from '@parlance/service-kit';

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

  /** For the bytes of a body as they arrive. Measured: 0.75 ms for each MiB. */
  arriving(): ArrivingBody {
    return new ArrivingBody(createHmac('sha256', this.secret));
  }

  /**
   * Equal for requests that ask for the same: up to 64 KiB the order of names and the white space of JSON ask for nothing. A larger
   * body is what its bytes are, since to write it again in one order would stop everybody else.
   */
  ofRequest(url: string, body: Buffer, arrived: ArrivingBody): string {
    const query = Buffer.from(`${url.split('?', 2)[1] ?? ''}\n`);
    if (arrived.length > IN_ONE_TURN) return this.of(Buffer.concat([query, arrived.digest()]));
    return this.of(Buffer.concat([query, canonicalBytes(body)]));
  }

  private of(text: string | Buffer): string {
    return createHmac('sha256', this.secret).update(text).digest('hex');
  }
}

/** The bytes of a body, hashed one after the other. */
export class ArrivingBody {
  length = 0;

  constructor(private readonly hmac: Hmac) {}

  add(bytes: Buffer): void {
    this.length += bytes.length;
    this.hmac.update(bytes);
  }

  digest(): Buffer {
    return this.hmac.digest();
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
