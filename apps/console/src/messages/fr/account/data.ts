import type { data as English } from '../../en/account/data.ts';
import { plural } from '../../plural.ts';
import { ofName } from '../of-name.ts';

/** Texts of the page with the user's own data. */
export const data: typeof English = {
  exportTitle: 'Export',
  exportText: 'Un fichier ZIP contenant vos conversations et leurs fichiers, vos bots, vos évaluations et vos données d’utilisation.',
  noExport: 'Vous n’avez pas d’export.',
  request: 'Demander un export',
  requestAgain: 'Demander un autre export',
  removeExport: 'Supprimer l’export',
  giveUp: 'Arrêter l’export',
  removeTitle: 'Supprimer l’export ?',
  removeText: 'Le fichier et son lien de téléchargement seront supprimés. Vous pourrez demander un autre export à tout moment.',
  exportRemoved: 'Export supprimé.',
  replaces: 'Un nouvel export remplacera celui-ci.',
  requested: 'Export demandé.',
  byAdmin: 'Un administrateur a demandé cet export pour vous.',
  waiting: 'L’export est en file d’attente.',
  writing: (written, all) => `Conversations exportées : ${written} sur ${all}.`,
  begun: 'L’export est en cours de création.',
  ready: 'L’export est prêt.',
  failed: 'L’export n’a pas pu être créé, car certaines données n’ont pas pu être lues. Demandez-en un autre.',
  gone: 'L’export a été supprimé. Demandez-en un autre.',
  size: 'Taille',
  conversations: 'Conversations',
  requestedAt: 'Demandé le',
  removedAt: 'Suppression prévue',
  secret: 'Toute personne disposant du fichier ou de son lien de téléchargement peut lire vos données.',
  download: 'Télécharger',

  importTitle: 'Importer des conversations',
  importText:
    'Un fichier de Parlance, ChatGPT ou Claude : le ZIP exporté ou son fichier conversations.json. Rien n’est importé tant que vous n’avez pas vu le contenu du fichier.',
  choose: 'Choisir un fichier',
  chooseAnother: 'Choisir un autre fichier',
  tooLarge: 'Le fichier dépasse 16 Mio. Extrayez conversations.json du ZIP, ou répartissez son contenu dans plusieurs fichiers.',
  reading: (name) => `Lecture ${ofName(name)}…`,
  sources: { parlance: 'Parlance', chatgpt: 'ChatGPT', claude: 'Claude' },
  found: (source, n) =>
    plural(n, {
      one: `Le fichier ${source} contient {n} nouvelle conversation.`,
      other: `Le fichier ${source} contient {n} nouvelles conversations.`,
    }),
  foundPart: 'Le fichier n’a pas pu être lu en entier à temps. Il peut donc en contenir davantage.',
  unchanged: (n) => plural(n, { one: '{n} conversation existe déjà.', other: '{n} conversations existent déjà.' }),
  deleted: (n) =>
    plural(n, {
      one: '{n} conversation a été supprimée ici et le reste.',
      other: '{n} conversations ont été supprimées ici et le restent.',
    }),
  leftOut: 'Ce qui est ignoré',
  reason: 'Motif',
  inConversations: 'Conversations',
  times: 'Occurrences',
  leftOutPart: (shown, all) => `Décompte effectué sur ${shown} des ${all} entrées.`,
  allTaken: 'Rien n’est ignoré.',
  start: (n) => plural(n, { one: 'Importer {n} conversation', other: 'Importer {n} conversations' }),
  goOn: 'Importer le reste',
  importing: (n) => plural(n, { one: '{n} conversation importée pour l’instant…', other: '{n} conversations importées pour l’instant…' }),
  imported: (n) => plural(n, { one: '{n} conversation a été importée.', other: '{n} conversations ont été importées.' }),
  incomplete: 'Le serveur n’a pas pu toutes les importer à temps.',
};
