import type { PasskeyAnswer } from '@parlance/client';
import type { ConfirmPasskeyBody, PasskeyCreationOptions, PasskeyRequestOptions } from '@parlance/client/types';
import { secondFactorMessages } from '../messages/second-factor-messages.ts';
import { parlance } from '../session/parlance.ts';

/** Browsers support passkeys only in a secure context: over https, or on localhost. Older ones cannot parse the options from JSON. */
export const knowsPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in globalThis.PublicKeyCredential;

let asking: AbortController | null = null;

/** Cancels the browser's open prompt, so that a late answer has no effect on a page that no longer waits for it. */
export const stopAsking = (): void => asking?.abort();

/** A browser shows one prompt at a time, so an open prompt is cancelled by the next one. */
async function answered<Answer>(ask: (signal: AbortSignal) => Promise<Credential | null>): Promise<Answer> {
  stopAsking();
  asking = new AbortController();
  try {
    return ((await ask(asking.signal)) as PublicKeyCredential).toJSON() as Answer;
  } catch (cause) {
    throw cause instanceof DOMException ? new Error(reasonOf(cause), { cause }) : cause;
  }
}

function reasonOf({ name, message }: DOMException): string {
  const { passkeyErrors, passkeyFailed } = secondFactorMessages();
  return Object.hasOwn(passkeyErrors, name) ? passkeyErrors[name as keyof typeof passkeyErrors] : passkeyFailed(message);
}

/** Has an authenticator create a passkey. Rejects with a text for the user. */
export async function newPasskey(options: PasskeyCreationOptions): Promise<ConfirmPasskeyBody['credential']> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return answered((signal) => navigator.credentials.create({ publicKey, signal }));
}

/** Has a passkey sign the challenge. Rejects with a text for the user. */
export async function passkeyAnswer(options: PasskeyRequestOptions): Promise<PasskeyAnswer> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return answered((signal) => navigator.credentials.get({ publicKey, signal }));
}

/** Proves a second factor again with a passkey, so that this session has a fresh proof. */
export async function stepUpByPasskey(): Promise<void> {
  const { challenge_token, options } = await parlance.api.post('/user/me/step-up/passkey-options');
  await parlance.api.post('/user/me/step-up', { body: { challenge_token, passkey: await passkeyAnswer(options) } });
}
