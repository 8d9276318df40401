import { type Grant, MasterKey } from './master-key.ts';
import { WrappingKey } from './wrapping-key.ts';

const FORM = 'parlance-service-key-1.';

/** Thrown by a service key for what only the master key, or another service's key, can do. */
export class KeyNotGranted extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeyNotGranted';
  }
}

/** The part of the master key that one service has instead of the whole. */
export class ServiceKey extends MasterKey {
  readonly #wrapping: WrappingKey;
  readonly #purposes: ReadonlyMap<string, Uint8Array>;

  constructor({ service, form, check, wrapping, purposes }: Grant) {
    super();
    this.service = service;
    this.#wrapping = new WrappingKey(form, check, wrapping);
    this.#purposes = new Map(Object.entries(purposes));
  }

  readonly service: string;

  wrap(key: Uint8Array, name = ''): string {
    return this.#wrapping.wrap(key, name);
  }

  unwrap(text: string, name = ''): Uint8Array {
    if (WrappingKey.formOf(text) !== this.#wrapping.form)
      throw new KeyNotGranted(
        `the key of the service ${this.service} does not open all stored keys: start the service with the master key, and run parlance service-keys`,
      );
    return this.#wrapping.unwrap(text, name);
  }

  /** The text with which this service stores a key that the master key has wrapped. A text that this key unwraps stays. */
  adopt(text: string, name: string, master: MasterKey): string {
    const isOwn = WrappingKey.formOf(text) === this.#wrapping.form;
    return isOwn ? text : this.wrap(master.unwrap(text, name), name);
  }

  derive(purpose: string, length = 32): Uint8Array {
    const key = this.#purposes.get(purpose);
    if (key === undefined || length > key.length)
      throw new KeyNotGranted(`the key of the service ${this.service} is not for ${purpose}: use the master key`);
    return key.slice(0, length);
  }
}

/** The text of a service key, for a file. */
export function serviceKeyText({ purposes, wrapping, ...rest }: Grant): string {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const keys = Object.entries(purposes).map(([purpose, key]) => [purpose, base64(key)]);
  return (
    FORM + Buffer.from(JSON.stringify({ ...rest, wrapping: base64(wrapping), purposes: Object.fromEntries(keys) })).toString('base64url')
  );
}

export const isServiceKeyText = (text: string): boolean => text.startsWith(FORM);

/** Throws an error of any kind if the text is not complete. */
export function serviceKeyOf(text: string): ServiceKey {
  const { purposes, wrapping, ...rest } = JSON.parse(Buffer.from(text.slice(FORM.length), 'base64url').toString()) as Written;
  const keys = Object.entries(purposes).map(([purpose, key]) => [purpose, Buffer.from(key, 'base64')]);
  return new ServiceKey({ ...rest, wrapping: Buffer.from(wrapping, 'base64'), purposes: Object.fromEntries(keys) });
}

type Written = Omit<Grant, 'wrapping' | 'purposes'> & { readonly wrapping: string; readonly purposes: Readonly<Record<string, string>> };
