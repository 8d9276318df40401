import type { replyDetails as English } from '../../en/chat/reply-details.ts';
import { locale } from '../../locale.ts';

/** How a reply was made. */
export const replyDetails: typeof English = {
  title: 'Origine de cette réponse',
  inputTokens: 'Tokens en entrée',
  cachedTokens: 'Dont lus dans le cache',
  outputTokens: 'Tokens en sortie',
  estimated: 'estimation',
  cost: 'Coût',
  priceFrom: 'Prix en vigueur depuis',
  firstToken: 'Délai avant le premier mot',
  totalTime: 'Durée totale',
  millis: (millis) =>
    new Intl.NumberFormat(locale(), {
      style: 'unit',
      maximumFractionDigits: 1,
      ...(millis < 1_000 ? { unit: 'millisecond' } : { unit: 'second' }),
    }).format(millis < 1_000 ? millis : millis / 1_000),
  botVersion: 'Version du bot',
  tries: 'Appels au fournisseur',
  toolCalls: 'Outils',
  guardrailVerdict: 'Garde-fou',
  verdict: { passed: 'A accepté la réponse', blocked: 'A remplacé la réponse', masked: 'A masqué des parties de la réponse' },
};
