import { createHmac } from 'node:crypto';
import type { Parlance } from '@parlance/client';
import { type ConsoleWorld, type Person, person } from './console-world.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_SECONDS = 30;

/**
 * The code that an authenticator app shows now or some time steps later (RFC 6238). Each is accepted once, in the order of steps -1, 0, 1.
 */
export function codeOf(secret: string, stepsLater = 0): string {
  const bits = [...secret.replaceAll(/\s/g, '')].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1_000 / STEP_SECONDS) + stepsLater));
  const hash = createHmac('sha1', key).update(counter).digest();
  const number = hash.readUInt32BE(hash.at(-1)! & 15) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** A code that is wrong for all near time steps. */
export function wrongCodeOf(secret: string): string {
  const right = new Set([-3, -2, -1, 0, 1, 2, 3].map((step) => codeOf(secret, step)));
  return ['000000', '111111', '222222', '333333', '444444', '555555', '666666', '777777'].find((code) => !right.has(code))!;
}

export interface Protected extends Person {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** A user with an authenticator app. The codes of the steps 0 and 1 are unused. */
export async function protectedPerson(world: ConsoleWorld, name: string): Promise<Protected> {
  const made = await person(world, name);
  return { ...made, ...(await protect(made.parlance, made.password)) };
}

/** Adds an authenticator app to the account of the client, as its first second factor. */
export async function protect({ api }: Parlance, password: string): Promise<Pick<Protected, 'secret' | 'recoveryCodes'>> {
  const { secret } = await api.post('/user/me/factors/totp', { body: { current_password: password } });
  const confirmed = await api.post('/user/me/factors/totp/confirm', { body: { code: codeOf(secret!, -1) } });
  return { secret: secret!, recoveryCodes: confirmed.recovery_codes! };
}
