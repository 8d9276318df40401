import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { WrappingKey, WrongMasterKey } from './wrapping-key.ts';

export { WrongMasterKey };

export const MASTER_KEY_BYTES = 32;
/** The longest key that a service key derives. Shorter ones are its beginning, as with HKDF. */
export const LONGEST_DERIVED = 64;

/**
 * The key under which all other keys are wrapped. The methods are synchronous: an adapter for a KMS would decrypt its data key once, at
 * startup, so that no request waits for the KMS.
 */
export abstract class MasterKey {
  /** Wraps a key for storing. The name identifies its subject; a wrapped key cannot be unwrapped under another name. */
  abstract wrap(key: Uint8Array, name?: string): string;
  /** Throws `WrongMasterKey`, or `Tampered` if the text was changed or stored under another name. A service key throws `KeyNotGranted` for the keys of other services. */
  abstract unwrap(text: string, name?: string): Uint8Array;
  /**
   * A key for one purpose, such as signing caller statements. It is the same at every start, and unrelated to the keys for other purposes. A
   * service key throws `KeyNotGranted` for purposes of other services.
   */
  abstract derive(purpose: string, length?: number): Uint8Array;
}

/** What a service key holds. */
export interface Grant {
  readonly service: string;
  /** The form of the texts that the service wraps: that of the master key for the service that stores the users' keys. */
  readonly form: string;
  readonly check: string;
  readonly wrapping: Uint8Array;
  readonly purposes: Readonly<Record<string, Uint8Array>>;
}

/** A master key with its bytes in memory. They are in private fields, which neither logs nor JSON show. */
export class LocalMasterKey extends MasterKey {
  readonly #root: KeyObject;
  readonly #own: WrappingKey;
  readonly #ofServices = new Map<string, WrappingKey>();
  /** Distinguishes a wrong key from a tampered text: 48 bits of a one-way function of the key, which do not reveal it. */
  readonly #check: string;

  constructor(bytes: Uint8Array) {
    super();
    if (bytes.length !== MASTER_KEY_BYTES) throw new TypeError(`a master key has ${MASTER_KEY_BYTES} bytes, not ${bytes.length}`);
    this.#root = createSecretKey(bytes);
    this.#check = Buffer.from(this.hkdf('parlance key check', 6)).toString('base64url');
    this.#own = this.wrappingKey(OWN_FORM);
  }

  wrap(key: Uint8Array, name = ''): string {
    return this.#own.wrap(key, name);
  }

  unwrap(text: string, name = ''): Uint8Array {
    const form = WrappingKey.formOf(text);
    if (!form.startsWith(SERVICE_FORM)) return this.#own.unwrap(text, name);
    let key = this.#ofServices.get(form);
    if (key === undefined) this.#ofServices.set(form, (key = this.wrappingKey(form)));
    return key.unwrap(text, name);
  }

  derive(purpose: string, length = 32): Uint8Array {
    // The prefix keeps callers' purposes apart from the purpose of the wrapping key.
    return this.hkdf(`purpose ${purpose}`, length);
  }

  /** The part of this key that one service needs. `keepsUserKeys`: the service stores the users' keys, which stay wrapped as they are. */
  grant(service: string, purposes: readonly string[], { keepsUserKeys = false } = {}): Grant {
    const form = keepsUserKeys ? OWN_FORM : `${SERVICE_FORM}${service}`;
    const derived = purposes.map((purpose) => [purpose, this.derive(purpose, LONGEST_DERIVED)] as const);
    return { service, form, check: this.#check, wrapping: this.wrappingBytes(form), purposes: Object.fromEntries(derived) };
  }

  private wrappingKey(form: string): WrappingKey {
    return new WrappingKey(form, this.#check, this.wrappingBytes(form));
  }

  private wrappingBytes(form: string): Uint8Array {
    return this.hkdf(form === OWN_FORM ? 'parlance wrapping key' : `parlance wrapping key ${form}`, MASTER_KEY_BYTES);
  }

  private hkdf(info: string, length: number): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.#root, '', info, length));
  }
}

const OWN_FORM = 'm1';
const SERVICE_FORM = 's1.';
