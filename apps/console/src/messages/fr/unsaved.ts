import type { unsaved as English } from '../en/unsaved.ts';

/** Texts of the question before unsaved changes are discarded. */
export const unsaved: typeof English = {
  changed: { title: 'Abandonner les modifications ?', text: 'Les modifications de cette page ne sont pas enregistrées.' },
  ended: {
    title: 'Votre session a pris fin',
    text: 'Pour conserver les modifications, choisissez Annuler, reconnectez-vous dans un autre onglet et enregistrez-les ici.',
  },
  discard: 'Abandonner',
};
