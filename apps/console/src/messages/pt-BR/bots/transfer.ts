import type { transfer as English } from '../../en/bots/transfer.ts';
import { plural } from '../../plural.ts';

export const transfer: typeof English = {
  duplicate: 'Duplicar',
  duplicateTitle: 'Duplicar bot',
  duplicateText: 'A cópia é privada e pertence a você. O compartilhamento, a publicação e as versões anteriores não são copiados.',
  title: 'Título',
  copyOf: (title) => `${title} (cópia)`,
  withFiles: 'Copiar os arquivos enviados',
  duplicated: 'Bot duplicado.',

  exportYaml: 'Exportar como YAML',
  exportZip: 'Exportar com arquivos (ZIP)',
  exporting: 'A exportação está sendo preparada. O navegador a salva quando estiver completa.',

  import: 'Importar',
  importTitle: 'Importar bot',
  importText:
    'A partir da exportação de um bot: um arquivo YAML, ou um ZIP que inclui os arquivos dele. O novo bot é privado e pertence a você.',
  choose: 'Escolher arquivo',
  chooseAnother: 'Escolher outro arquivo',
  checking: (file) => `Lendo ${file}…`,
  tooLarge: 'O arquivo é grande demais. O limite para o YAML de um bot é de 2 MiB.',
  ready: (title) => `“${title}” pode ser importado`,
  files: (n) => plural(n, { other: 'Arquivos incluídos: {n}.' }),
  allTaken: 'Tudo o que está no arquivo é importado.',
  leftOut: 'O que o novo bot não recebe',
  field: 'Campo',
  value: 'Valor',
  reason: 'Motivo',
  create: 'Criar bot',
  imported: 'Bot importado.',
};
