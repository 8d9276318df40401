import type { transfer as English } from '../../en/bots/transfer.ts';
import { plural } from '../../plural.ts';
import { ofName } from '../of-name.ts';

export const transfer: typeof English = {
  duplicate: 'Dupliquer',
  duplicateTitle: 'Dupliquer le bot',
  duplicateText: 'La copie est privée et vous appartient. Le partage, la publication et les versions précédentes ne sont pas copiés.',
  title: 'Titre',
  copyOf: (title) => `${title} (copie)`,
  withFiles: 'Copier les fichiers envoyés',
  duplicated: 'Bot dupliqué.',

  exportYaml: 'Exporter en YAML',
  exportZip: 'Exporter avec les fichiers (ZIP)',
  exporting: 'L’export est en préparation. Le navigateur l’enregistrera une fois prêt.',

  import: 'Importer',
  importTitle: 'Importer un bot',
  importText:
    'À partir de l’export d’un bot : un fichier YAML, ou un ZIP qui contient ses fichiers. Le nouveau bot est privé et vous appartient.',
  choose: 'Choisir un fichier',
  chooseAnother: 'Choisir un autre fichier',
  checking: (file) => `Lecture ${ofName(file)}…`,
  tooLarge: 'Le fichier est trop volumineux. La limite pour le YAML d’un bot est de 2 Mio.',
  ready: (title) => `« ${title} » peut être importé`,
  files: (n) => plural(n, { one: 'Avec {n} fichier.', other: 'Avec {n} fichiers.' }),
  allTaken: 'Tout le contenu du fichier est importé.',
  leftOut: 'Ce que le nouveau bot n’aura pas',
  field: 'Champ',
  value: 'Valeur',
  reason: 'Motif',
  create: 'Créer le bot',
  imported: 'Bot importé.',
};
