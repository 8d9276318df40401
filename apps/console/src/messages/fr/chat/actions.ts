import type { chatActions as English } from '../../en/chat/actions.ts';
import { plural } from '../../plural.ts';

/** Texts of a chat's menu and its dialogs. */
export const chatActions: typeof English = {
  share: 'Partager',
  rename: 'Renommer',
  renamed: 'Conversation renommée.',
  title: 'Nom',
  proposeTitle: 'Proposer un nom',
  pin: 'Épingler',
  unpin: 'Désépingler',
  toProject: 'Déplacer vers un projet',
  memoryOff: 'Désactiver la mémoire',
  memoryOn: 'Activer la mémoire',
  memoryTurnedOff: 'Mémoire désactivée pour cette conversation.',
  memoryTurnedOn: 'Mémoire activée pour cette conversation.',
  download: 'Télécharger en Markdown',
  print: 'Imprimer',
  deleteChat: 'Supprimer',
  deleteTitle: 'Supprimer la conversation ?',
  deleteText: (title) =>
    `« ${title} » sera supprimée avec tous ses messages et fichiers. Cette action est irréversible. Les totaux des coûts seront conservés.`,
  deleted: (title, messages) =>
    `« ${title} » supprimée avec ${plural(messages, { one: '{n} message', other: '{n} messages' })}. Sa clé de chiffrement a été détruite.`,
};
