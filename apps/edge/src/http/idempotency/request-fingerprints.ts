import { createHash, createHmac, type Hash, hash, type Hmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Instant } from '@parlance/decider';
import { MasterKey } from '@parlance/privacy';
import { canonicalJson, IN_ONE_TURN, parseJson } from '@parlance/http';

const DAY = 24 * 60 * 60 * 1000;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export interface KeyedRequest {
  /** What the edge knows about the caller. */
  readonly asker: object;
  readonly method: string;
  /** The pattern of the path. */
  readonly path: string;
  readonly params: object;
  readonly key: string;
}

/** Distinguishes requests without storing them. The hashes are keyed, because a password in a body could be guessed from a plain hash. */
@Injectable()
export class RequestFingerprints {
  private readonly secret: Uint8Array;

  constructor(master: MasterKey) {
    this.secret = master.derive('request-fingerprints');
  }

  /** The hash under which an `Idempotency-Key` is remembered. It differs between callers and between paths. */
  ofKey({ asker, method, path, params, key }: KeyedRequest): string {
    return this.of(canonicalJson([asker, method, path, params, key]));
  }

  /** Hashes the bytes of a body as they arrive. Measured: 0.75 ms for each MiB. */
  arriving(): ArrivingBody {
    return new ArrivingBody(createHmac('sha256', this.secret));
  }

  /**
   * Equal for requests with the same meaning: up to 64 KiB, the order of names and the white space of JSON do not count. Larger bodies are
   * compared by their bytes, because sorting their names would block the event loop.
   */
  ofRequest(url: string, body: Buffer, arrived: ArrivingBody): string {
    const query = Buffer.from(`${url.split('?', 2)[1] ?? ''}\n`);
    if (arrived.length > IN_ONE_TURN) return this.of(Buffer.concat([query, arrived.digest()]));
    return this.of(Buffer.concat([query, canonicalBytes(body)]));
  }

  /** Like `arriving`, without the secret, for a body whose fingerprint is not stored. Measured: 3 µs for 2 KB, and 14 µs with the secret. */
  arrivingUnstored(): ArrivingBody {
    return new ArrivingBody(createHash('sha256'));
  }

  /**
   * Equal for requests of one API key to one address that are identical to the byte, and have the same `Idempotency-Key` or none. Must not
   * be stored: it is made without the secret.
   */
  ofBytes(keyId: string, url: string, idempotencyKey: string | null, arrived: ArrivingBody): string {
    return hash('sha256', JSON.stringify([keyId, url, idempotencyKey, arrived.digest().toString('base64')]), 'base64');
  }

  /**
   * The ID of the resource that an anonymous request creates. Repeats on the same day get the same ID, although nothing is remembered. Its
   * time is the start of the day.
   */
  idOf(keyHash: string, bodyHash: string, now: Instant): string {
    const day = now - (now % DAY);
    const bytes = createHmac('sha256', this.secret).update(`id\n${keyHash}\n${bodyHash}\n${day}`).digest();
    const time = Array.from({ length: 10 }, (_, index) => CROCKFORD[Math.floor(day / 32 ** (9 - index)) % 32]);
    return [...time, ...Array.from(bytes.subarray(0, 16), (byte) => CROCKFORD[byte % 32])].join('');
  }

  private of(text: string | Buffer): string {
    return createHmac('sha256', this.secret).update(text).digest('hex');
  }
}

/** The bytes of a body, hashed one after the other. */
export class ArrivingBody {
  length = 0;
  private digested: Buffer | null = null;

  constructor(private readonly state: Hash | Hmac) {}

  add(bytes: Buffer): void {
    this.length += bytes.length;
    this.state.update(bytes);
  }

  digest(): Buffer {
    return (this.digested ??= this.state.digest());
  }
}

function canonicalBytes(body: Buffer): Buffer {
  try {
    return Buffer.from(canonicalJson(parseJson(body)));
  } catch {
    // The body is not JSON that a service accepts.
    return body;
  }
}
