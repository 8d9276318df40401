import type { SecondFactorProof } from '@parlance/client';
import type { SecondFactorRequired, SecondFactors } from '@parlance/client/types';

export type ProofMethod = SecondFactorRequired['methods'][number];
/** Second factors that are typed in. */
export type ProofKind = 'code' | 'recovery_code';

/** The methods in order of preference. */
const ORDER: readonly ProofMethod[] = ['passkey', 'totp', 'recovery_code'];

/** The entered factor in the API's form. Apps show codes with a space in the middle. Null if it cannot be valid. */
export function proofOf(kind: ProofKind, entered: string): SecondFactorProof | null {
  if (kind === 'recovery_code') return entered.trim() === '' ? null : { recovery_code: entered.trim() };
  const code = entered.replaceAll(/\s/g, '');
  return /^[0-9]{6}$/.test(code) ? { code } : null;
}

/** How a user can prove a second factor in this browser, in order of preference. Defaults to a code if nothing is known. */
export function proofMethods(methods: readonly ProofMethod[], knowsPasskeys: boolean): readonly ProofMethod[] {
  const usable = ORDER.filter((each) => methods.includes(each) && (each !== 'passkey' || knowsPasskeys));
  return usable.length === 0 ? ['totp'] : usable;
}

export const methodsOf = ({ factors, recovery_codes_left }: SecondFactors): readonly ProofMethod[] => [
  ...factors.map(({ kind }) => kind),
  ...(recovery_codes_left > 0 ? (['recovery_code'] as const) : []),
];
