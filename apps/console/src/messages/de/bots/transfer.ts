import type { transfer as English } from '../../en/bots/transfer.ts';
import { plural } from '../../plural.ts';

export const transfer: typeof English = {
  duplicate: 'Duplizieren',
  duplicateTitle: 'Bot duplizieren',
  duplicateText: 'Die Kopie ist privat und gehört Ihnen. Freigabe, Veröffentlichung und frühere Versionen werden nicht kopiert.',
  title: 'Titel',
  copyOf: (title) => `${title} (Kopie)`,
  withFiles: 'Hochgeladene Dateien kopieren',
  duplicated: 'Bot dupliziert.',

  exportYaml: 'Als YAML exportieren',
  exportZip: 'Mit Dateien exportieren (ZIP)',
  exporting: 'Der Export wird vorbereitet. Der Browser speichert ihn, sobald er vollständig ist.',

  import: 'Importieren',
  importTitle: 'Bot importieren',
  importText: 'Aus dem Export eines Bots: eine YAML-Datei oder ein ZIP mit seinen Dateien. Der neue Bot ist privat und gehört Ihnen.',
  choose: 'Datei auswählen',
  chooseAnother: 'Andere Datei auswählen',
  checking: (file) => `${file} wird gelesen …`,
  tooLarge: 'Die Datei ist zu groß. Das YAML eines Bots darf höchstens 2 MiB groß sein.',
  ready: (title) => `„${title}“ kann importiert werden`,
  files: (n) => plural(n, { one: 'Mit {n} Datei.', other: 'Mit {n} Dateien.' }),
  allTaken: 'Alles in der Datei wird importiert.',
  leftOut: 'Was der neue Bot nicht erhält',
  field: 'Feld',
  value: 'Wert',
  reason: 'Grund',
  create: 'Bot erstellen',
  imported: 'Bot importiert.',
};
