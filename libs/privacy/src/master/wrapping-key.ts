import { createSecretKey, type KeyObject } from 'node:crypto';
import { decrypt, encrypt, fromBase64url, Tampered } from '../cipher.ts';

/** Thrown by `unwrap`, and therefore when a key store is opened, if the text was wrapped with another master key. */
export class WrongMasterKey extends Error {
  constructor() {
    super('the stored keys were wrapped with another master key: start with that key (PARLANCE_MASTER_KEY, or the file in masterKeyFile)');
    this.name = 'WrongMasterKey';
  }
}

/** Wraps keys as `form.check.box`. The form says which key it is, and may have dots. */
export class WrappingKey {
  readonly #key: KeyObject;

  constructor(
    readonly form: string,
    /** Identifies the master key. */
    private readonly check: string,
    bytes: Uint8Array,
  ) {
    this.#key = createSecretKey(bytes);
  }

  static formOf(text: string): string {
    return text.split('.').slice(0, -2).join('.');
  }

  wrap(key: Uint8Array, name: string): string {
    return `${this.form}.${this.check}.${encrypt(this.#key, key, `${this.form}.${name}`).toString('base64url')}`;
  }

  /** Throws `WrongMasterKey` and `Tampered`. */
  unwrap(text: string, name: string): Uint8Array {
    const [check, box] = text.split('.').slice(-2);
    if (WrappingKey.formOf(text) !== this.form || box === undefined) throw new Tampered(`the wrapped key ${name}`);
    if (check !== this.check) throw new WrongMasterKey();
    return decrypt(this.#key, fromBase64url(box, name), `${this.form}.${name}`);
  }
}
