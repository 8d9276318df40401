import type { transfer as English } from '../../en/bots/transfer.ts';
import { plural } from '../../plural.ts';

export const transfer: typeof English = {
  duplicate: 'Duplicar',
  duplicateTitle: 'Duplicar el bot',
  duplicateText: 'La copia es privada y le pertenece. No se copian el acceso, la publicación ni las versiones anteriores.',
  title: 'Título',
  copyOf: (title) => `${title} (copia)`,
  withFiles: 'Copiar los archivos cargados',
  duplicated: 'Bot duplicado.',

  exportYaml: 'Exportar como YAML',
  exportZip: 'Exportar con archivos (ZIP)',
  exporting: 'La exportación se está preparando. El navegador la guardará cuando esté completa.',

  import: 'Importar',
  importTitle: 'Importar un bot',
  importText:
    'A partir de la exportación de un bot: un archivo YAML o un ZIP que incluye sus archivos. El bot nuevo es privado y le pertenece.',
  choose: 'Elegir un archivo',
  chooseAnother: 'Elegir otro archivo',
  checking: (file) => `Leyendo ${file}…`,
  tooLarge: 'El archivo es demasiado grande. El límite para el YAML de un bot es de 2 MiB.',
  ready: (title) => `«${title}» se puede importar`,
  files: (n) => plural(n, { one: 'Con {n} archivo.', other: 'Con {n} archivos.' }),
  allTaken: 'Se importa todo el contenido del archivo.',
  leftOut: 'Lo que el bot nuevo no recibe',
  field: 'Campo',
  value: 'Valor',
  reason: 'Motivo',
  create: 'Crear el bot',
  imported: 'Bot importado.',
};
