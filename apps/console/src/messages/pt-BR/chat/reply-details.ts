import type { replyDetails as English } from '../../en/chat/reply-details.ts';
import { locale } from '../../locale.ts';

export const replyDetails: typeof English = {
  title: 'Como esta resposta foi gerada',
  inputTokens: 'Tokens de entrada',
  cachedTokens: 'Destes, do cache',
  outputTokens: 'Tokens de saída',
  estimated: 'estimado',
  cost: 'Custo',
  priceFrom: 'Preço desde',
  firstToken: 'Tempo até a primeira palavra',
  totalTime: 'Tempo total',
  millis: (millis) =>
    new Intl.NumberFormat(locale(), {
      style: 'unit',
      maximumFractionDigits: 1,
      ...(millis < 1_000 ? { unit: 'millisecond' } : { unit: 'second' }),
    }).format(millis < 1_000 ? millis : millis / 1_000),
  botVersion: 'Versão do bot',
  tries: 'Chamadas ao provedor',
  toolCalls: 'Ferramentas',
  guardrailVerdict: 'Guardrail',
  verdict: { passed: 'Aprovou a resposta', blocked: 'Substituiu a resposta', masked: 'Mascarou partes da resposta' },
};
