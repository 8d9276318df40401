import type { OfferedTotp } from '@parlance/client/types';

/** In groups of four, as people copy it by hand. */
export const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? '';

/** Null if the answer was lost, and the repeat has the secret no more, or masked. */
export const wholeSecretOf = ({ secret }: OfferedTotp): string | null =>
  secret !== undefined && /^[A-Z2-7]+$/.test(secret) ? secret : null;
