import type { comparison as English } from '../../en/chat/comparison.ts';
import { ofName } from '../of-name.ts';

/** Texts of the replies of several models to one question. */
export const comparison: typeof English = {
  title: 'Comparaison de modèles',
  choose: 'Choisissez la réponse avec laquelle poursuivre la conversation. Les autres resteront disponibles comme versions de celle-ci.',
  requesting: 'En attente du modèle…',
  continueWithThis: 'Continuer avec celle-ci',
  continueWith: (model) => `Continuer avec celle-ci : réponse ${ofName(model)}`,
  stop: 'Arrêter',
  stopOf: (model) => `Arrêter la réponse ${ofName(model)}`,
  tokens: (input, output) => `${input} tokens en entrée, ${output} en sortie`,
  announced: (model, event) => `${model} : ${event}`,
};
