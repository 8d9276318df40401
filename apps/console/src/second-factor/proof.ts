import type { SecondFactorProof } from '@parlance/client';
import type { SecondFactorRequired, SecondFactors } from '@parlance/client/types';

export type ProofMethod = SecondFactorRequired['methods'][number];
/** What is entered by the keyboard. */
export type ProofKind = 'code' | 'recovery_code';

/** The first one that a user has is asked for. */
const ORDER: readonly ProofMethod[] = ['passkey', 'totp', 'recovery_code'];

/** What a user has entered, as the API takes it. Apps show codes with a space in the middle. Null if it cannot be right. */
export function proofOf(kind: ProofKind, entered: string): SecondFactorProof | null {
  if (kind === 'recovery_code') return entered.trim() === '' ? null : { recovery_code: entered.trim() };
  const code = entered.replaceAll(/\s/g, '');
  return /^[0-9]{6}$/.test(code) ? { code } : null;
}

/** How a user can prove a second factor in this browser, the first choice first. A code is asked for if nothing is known. */
export function proofMethods(methods: readonly ProofMethod[], knowsPasskeys: boolean): readonly ProofMethod[] {
  const usable = ORDER.filter((each) => methods.includes(each) && (each !== 'passkey' || knowsPasskeys));
  return usable.length === 0 ? ['totp'] : usable;
}

export const methodsOf = ({ factors, recovery_codes_left }: SecondFactors): readonly ProofMethod[] => [
  ...factors.map(({ kind }) => kind),
  ...(recovery_codes_left > 0 ? (['recovery_code'] as const) : []),
];
