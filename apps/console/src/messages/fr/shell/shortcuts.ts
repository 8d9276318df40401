import type { shortcuts as English } from '../../en/shell/shortcuts.ts';

/** Texts of the list of keyboard shortcuts. */
export const shortcuts: typeof English = {
  title: 'Raccourcis clavier',
  keys: { control: 'Ctrl', shift: 'Maj', enter: 'Entrée', escape: 'Échap' },
  everywhere: 'Sur toutes les pages',
  palette: 'Rechercher et lancer des commandes',
  newChat: 'Démarrer une nouvelle conversation',
  navigation: 'Masquer ou afficher la navigation',
  field: 'Aller au champ de saisie d’un message',
  list: 'Afficher cette liste',
  inMessage: 'Pendant la saisie d’un message',
  send: 'Envoyer le message',
  newLine: 'Aller à la ligne',
  bot: 'Choisir un bot',
  prompt: 'Insérer un prompt, en début de ligne',
};
