import type { comparison as English } from '../../en/chat/comparison.ts';

export const comparison: typeof English = {
  title: 'Comparação de modelos',
  choose: 'Escolha a resposta com que o chat continua. As outras ficam como versões dela.',
  requesting: 'Aguardando o modelo…',
  continueWithThis: 'Continuar com esta',
  continueWith: (model) => `Continuar com esta resposta de ${model}`,
  stop: 'Parar',
  stopOf: (model) => `Parar a resposta de ${model}`,
  tokens: (input, output) => `Tokens: ${input} de entrada, ${output} de saída`,
  announced: (model, event) => `${model}: ${event}`,
};
