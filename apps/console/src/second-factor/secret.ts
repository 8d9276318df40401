import type { OfferedTotp } from '@parlance/client/types';

/** Formats the secret in groups of four, for copying by hand. */
export const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? '';

/** The secret of a response. Null if the original response was lost and the repeat omits or masks the secret. */
export const wholeSecretOf = ({ secret }: OfferedTotp): string | null =>
  secret !== undefined && /^[A-Z2-7]+$/.test(secret) ? secret : null;
