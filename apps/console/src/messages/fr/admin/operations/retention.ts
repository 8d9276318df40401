import type { retention as English } from '../../../en/admin/operations/retention.ts';
import { plural } from '../../../plural.ts';

export const retention: typeof English = {
  title: 'Conservation',
  description:
    'Règles qui suppriment les anciennes conversations, les fichiers des anciens messages ou les anciens exports. Sans règle, seuls les utilisateurs suppriment des conversations.',
  create: 'Nouvelle règle',
  createTitle: 'Nouvelle règle de conservation',
  createText:
    'La règle ne supprime encore rien. À l’étape suivante, vous verrez combien d’éléments elle supprimerait et pourrez l’activer.',
  changeTitle: 'Modifier la règle',
  changeText:
    'Quand vous enregistrez une modification, la règle est désactivée. À l’étape suivante, vous verrez combien d’éléments elle supprimerait et pourrez la réactiver.',
  emptyTitle: 'Il n’y a aucune règle',
  emptyText: 'Les conversations sont conservées jusqu’à ce que leurs utilisateurs les suppriment. Créez une règle avec « Nouvelle règle ».',
  kind: 'Ce qu’elle supprime',
  kinds: { conversations: 'Conversations', exports: 'Exports de conversations', uploads: 'Fichiers des conversations' },
  kindsHelp:
    'Les exports sont les fichiers horaires et quotidiens destinés aux administrateurs. Supprimer des exports, ou les images et fichiers joints de messages, ne supprime pas les conversations.',
  allExports: 'Tous les exports',
  appliesTo: 'S’applique à',
  filesOf: (subject) => `Fichiers : ${subject}`,
  scopes: { all: 'Toutes les conversations', bot: 'Conversations avec un bot', group: 'Conversations d’un groupe' },
  scopesHelp: 'Une conversation est supprimée dès qu’une règle activée s’y applique.',
  scopesHelpForFiles: 'Les fichiers d’un message sont supprimés dès qu’une règle activée s’applique à sa conversation.',
  bot: 'Bot',
  botHelp:
    'Saisissez des mots de son titre. Pour un bot privé, saisissez son ID. Les conversations de son API publiée sont aussi supprimées.',
  group: 'Groupe',
  groupHelp:
    'S’applique aux conversations des utilisateurs qui sont dans le groupe quand la règle s’exécute, mais pas à celles de leurs API publiées.',
  missingBot: 'Choisissez un bot dans la liste, ou saisissez son ID.',
  missingGroup: 'Choisissez un groupe.',
  days: 'Jours après le dernier message',
  daysColumn: 'Jours',
  daysOfExports: 'Jours après la date de l’export',
  daysOfUploads: 'Jours après le message',
  daysHelp: '1 à 3 650.',
  daysMissing: 'Saisissez un nombre de jours de 1 à 3 650.',
  after: (days) => plural(days, { one: 'Après {n} jour', other: 'Après {n} jours' }),
  ruleOf: (name, days) => plural(days, { one: `${name}, après {n} jour`, other: `${name}, après {n} jours` }),
  state: 'État',
  enabled: 'Activée',
  disabled: 'Désactivée',
  created: 'Création',
  enable: 'Activer',
  enableOf: (rule) => `Activer la règle : ${rule}`,
  disable: 'Désactiver',
  disableOf: (rule) => `Désactiver la règle : ${rule}`,
  change: 'Modifier',
  changeOf: (rule) => `Modifier la règle : ${rule}`,
  removeOf: (rule) => `Supprimer la règle : ${rule}`,
  enableTitle: 'Activer la règle ?',
  counting: 'Décompte…',
  wouldDelete: (n) =>
    plural(n, {
      one: 'La règle supprimera {n} conversation dans les prochaines minutes, puis d’autres à mesure qu’elles atteindront l’âge prévu.',
      other: 'La règle supprimera {n} conversations dans les prochaines minutes, puis d’autres à mesure qu’elles atteindront l’âge prévu.',
    }),
  wouldDeleteMore: (n) =>
    plural(n, {
      one: 'La règle supprimera au moins {n} conversation dans les prochaines minutes, puis d’autres à mesure qu’elles atteindront l’âge prévu. Toutes n’ont pas été comptées.',
      other:
        'La règle supprimera au moins {n} conversations dans les prochaines minutes, puis d’autres à mesure qu’elles atteindront l’âge prévu. Toutes n’ont pas été comptées.',
    }),
  wouldDeleteNone:
    'Aucune conversation n’est assez ancienne pour l’instant. La règle supprimera les conversations à mesure qu’elles atteindront l’âge prévu.',
  wouldDeleteResponses: (n) =>
    plural(n, {
      one: 'Elle supprimera aussi {n} réponse enregistrée par un programme.',
      other: 'Elle supprimera aussi {n} réponses enregistrées par des programmes.',
    }),
  wouldRemoveExports: (n) =>
    plural(n, {
      one: 'La règle supprimera {n} fichier dans les prochaines minutes, puis d’autres à mesure qu’ils atteindront l’âge prévu.',
      other: 'La règle supprimera {n} fichiers dans les prochaines minutes, puis d’autres à mesure qu’ils atteindront l’âge prévu.',
    }),
  wouldRemoveMore: (n) =>
    plural(n, {
      one: 'La règle supprimera au moins {n} fichier dans les prochaines minutes, puis d’autres à mesure qu’ils atteindront l’âge prévu. Tous n’ont pas été comptés.',
      other:
        'La règle supprimera au moins {n} fichiers dans les prochaines minutes, puis d’autres à mesure qu’ils atteindront l’âge prévu. Tous n’ont pas été comptés.',
    }),
  wouldRemoveNoUploads:
    'Aucun fichier n’est assez ancien pour l’instant. La règle supprimera les fichiers à mesure qu’ils atteindront l’âge prévu.',
  uploadsAreGone:
    'Les fichiers supprimés ne peuvent pas être restaurés. Leurs messages sont conservés et indiquent que les fichiers ont été supprimés.',
  enableAndRemoveMore: (n) =>
    plural(n, { one: 'Activer et supprimer au moins {n} fichier', other: 'Activer et supprimer au moins {n} fichiers' }),
  wouldRemoveNoExports:
    'Aucun export n’est assez ancien pour l’instant. La règle supprimera les fichiers à mesure qu’ils atteindront l’âge prévu.',
  exportsAreWritten: 'Sans la règle, les exports des 400 derniers jours sont réécrits à partir des conversations qui existent encore.',
  enableAndRemove: (n) => plural(n, { one: 'Activer et supprimer {n} fichier', other: 'Activer et supprimer {n} fichiers' }),
  cannotBeUndone: 'Les conversations supprimées ne peuvent pas être restaurées. Leurs coûts restent dans les totaux.',
  keptDisabled: 'Si vous annulez, la règle reste désactivée et ne supprime rien.',
  enableAndDelete: (n) => plural(n, { one: 'Activer et supprimer {n} conversation', other: 'Activer et supprimer {n} conversations' }),
  enableAndDeleteMore: (n) =>
    plural(n, { one: 'Activer et supprimer au moins {n} conversation', other: 'Activer et supprimer au moins {n} conversations' }),
  stale: 'Cette règle a changé depuis que vous avez ouvert la fenêtre. Fermez-la pour voir ses valeurs actuelles.',
  saved: 'Règle enregistrée. Elle est désactivée.',
  enabledNow: 'Règle activée.',
  disabledNow: 'Règle désactivée. Elle ne supprime plus rien.',
  removeTitle: 'Supprimer la règle ?',
  removeText: (rule) => `La règle « ${rule} » ne supprimera plus rien. Ce qu’elle a déjà supprimé ne sera pas restauré.`,
  removed: 'Règle supprimée.',
};
