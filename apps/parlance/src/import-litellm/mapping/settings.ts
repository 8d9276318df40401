import { textOf } from '../source/fields.ts';

/** A value of LiteLLM's configuration: a text, or the name of a variable that has it. */
export type Setting = { readonly text: string } | { readonly variable: string };

const REFERENCE = 'os.environ/';

/** Null if the value is missing. */
export function settingOf(value: unknown): Setting | null {
  const text = textOf(value);
  if (text === null) return null;
  return text.startsWith(REFERENCE) ? { variable: text.slice(REFERENCE.length) } : { text };
}

/** Where a value comes from, without the value. */
export const originOf = (setting: Setting): string => ('text' in setting ? 'from the file' : `from ${setting.variable}`);

export const sameSetting = (one: Setting | null, other: Setting | null): boolean => JSON.stringify(one) === JSON.stringify(other);

/** How the address of LiteLLM becomes the base URL of Parlance. */
export type AddressForm = 'plain' | 'v1' | 'azure';

export interface Address {
  readonly setting: Setting;
  readonly form: AddressForm;
}

/** The base URL in Parlance. Azure's v1 API is compatible with OpenAI, and needs no `api_version`. */
export function baseUrlOf(value: string, form: AddressForm): string {
  const url = value.trim().replace(/\/+$/, '');
  if (form === 'azure') return `${url.replace(/\/openai(\/.*)?$/, '')}/openai/v1`;
  return form === 'v1' && !/\/v\d+[a-z]*$/.test(url) ? `${url}/v1` : url;
}
