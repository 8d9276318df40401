import { plural } from '../../plural.ts';

export const transfer = {
  duplicate: 'Duplicate',
  duplicateTitle: 'Duplicate the bot',
  duplicateText: 'The copy is private and yours. Sharing, the publication and earlier versions are not copied.',
  title: 'Title',
  copyOf: (title: string) => `${title} (copy)`,
  withFiles: 'Copy the uploaded files',
  duplicated: 'Bot duplicated.',

  exportYaml: 'Export as YAML',
  exportZip: 'Export with files (ZIP)',
  exporting: 'The export is being prepared. The browser saves it when it is complete.',

  import: 'Import',
  importTitle: 'Import a bot',
  importText: 'From the export of a bot: a YAML file, or a ZIP that includes its files. The new bot is private and yours.',
  choose: 'Choose a file',
  chooseAnother: 'Choose another file',
  checking: (file: string) => `Reading ${file} …`,
  tooLarge: 'The file is too large. The limit for the YAML of a bot is 2 MiB.',
  ready: (title: string) => `“${title}” can be imported`,
  files: (n: number) => plural(n, { one: 'With {n} file.', other: 'With {n} files.' }),
  allTaken: 'Everything in the file is imported.',
  leftOut: 'What the new bot does not get',
  field: 'Field',
  value: 'Value',
  reason: 'Reason',
  create: 'Create the bot',
  imported: 'Bot imported.',
};
