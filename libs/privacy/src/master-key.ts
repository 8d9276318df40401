import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { decrypt, encrypt, fromBase64url, Tampered } from './cipher.ts';

export const MASTER_KEY_BYTES = 32;

/** Thrown by `unwrap`, and therefore when a key store is opened, if the text was wrapped with another master key. */
export class WrongMasterKey extends Error {
  constructor() {
    super('the stored keys were wrapped with another master key: start with that key (PARLANCE_MASTER_KEY, or the file in masterKeyFile)');
    this.name = 'WrongMasterKey';
  }
}

/**
 * The key under which all other keys are wrapped. The methods are synchronous: an adapter for a KMS would decrypt its data key once, at
 * startup, so that no request waits for the KMS.
 */
export abstract class MasterKey {
  /** Wraps a key for storing. The name identifies its subject; a wrapped key cannot be unwrapped under another name. */
  abstract wrap(key: Uint8Array, name?: string): string;
  /** Throws `WrongMasterKey`, or `Tampered` if the text was changed or stored under another name. */
  abstract unwrap(text: string, name?: string): Uint8Array;
  /** A key for one purpose, such as signing caller statements. It is the same at every start, and unrelated to the keys for other purposes. */
  abstract derive(purpose: string, length?: number): Uint8Array;
}

/** A master key with its bytes in memory. They are in private fields, which neither logs nor JSON show. */
export class LocalMasterKey extends MasterKey {
  readonly #root: KeyObject;
  readonly #wrapping: KeyObject;
  /** Distinguishes a wrong key from a tampered text: 48 bits of a one-way function of the key, which do not reveal it. */
  readonly #check: string;

  constructor(bytes: Uint8Array) {
    super();
    if (bytes.length !== MASTER_KEY_BYTES) throw new TypeError(`a master key has ${MASTER_KEY_BYTES} bytes, not ${bytes.length}`);
    this.#root = createSecretKey(bytes);
    this.#wrapping = createSecretKey(this.hkdf('parlance wrapping key', MASTER_KEY_BYTES));
    this.#check = Buffer.from(this.hkdf('parlance key check', 6)).toString('base64url');
  }

  wrap(key: Uint8Array, name = ''): string {
    return `m1.${this.#check}.${encrypt(this.#wrapping, key, `m1.${name}`).toString('base64url')}`;
  }

  unwrap(text: string, name = ''): Uint8Array {
    const [form, check, box, ...rest] = text.split('.');
    if (form !== 'm1' || box === undefined || rest.length > 0) throw new Tampered(`the wrapped key ${name}`);
    if (check !== this.#check) throw new WrongMasterKey();
    return decrypt(this.#wrapping, fromBase64url(box, name), `m1.${name}`);
  }

  derive(purpose: string, length = 32): Uint8Array {
    // The prefix keeps callers' purposes apart from the purpose of the wrapping key.
    return this.hkdf(`purpose ${purpose}`, length);
  }

  private hkdf(info: string, length: number): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.#root, '', info, length));
  }
}
