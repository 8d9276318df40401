import type { data as English } from '../../en/account/data.ts';
import { plural } from '../../plural.ts';

/** Texts of the page with the user's own data. */
export const data: typeof English = {
  exportTitle: 'Exportación',
  exportText: 'Un archivo ZIP con sus conversaciones y los archivos de estas, sus bots, sus valoraciones y su uso.',
  noExport: 'No hay ninguna exportación.',
  request: 'Solicitar una exportación',
  requestAgain: 'Solicitar otra exportación',
  removeExport: 'Eliminar la exportación',
  giveUp: 'Detener la exportación',
  removeTitle: '¿Eliminar la exportación?',
  removeText: 'Se eliminarán el archivo y su enlace de descarga. Se puede solicitar otra exportación en cualquier momento.',
  exportRemoved: 'Exportación eliminada.',
  replaces: 'Una exportación nueva sustituye a esta.',
  requested: 'Exportación solicitada.',
  byAdmin: 'Un administrador solicitó esta exportación para usted.',
  waiting: 'La exportación está en cola.',
  writing: (written, all) => `${written} de ${all} conversaciones escritas.`,
  begun: 'La exportación se está escribiendo.',
  ready: 'La exportación está lista.',
  failed: 'No se pudo escribir la exportación porque algunos datos no se pudieron leer. Solicite otra.',
  gone: 'La exportación se eliminó. Solicite otra.',
  size: 'Tamaño',
  conversations: 'Conversaciones',
  requestedAt: 'Solicitada',
  removedAt: 'Se eliminará',
  secret: 'Quien tenga el archivo o su enlace de descarga puede leer sus datos.',
  download: 'Descargar',

  importTitle: 'Importar conversaciones',
  importText:
    'Un archivo de Parlance, ChatGPT o Claude: el ZIP exportado o su conversations.json. No se importa nada antes de mostrar lo que contiene el archivo.',
  choose: 'Elegir un archivo',
  chooseAnother: 'Elegir otro archivo',
  tooLarge: 'El archivo supera los 16 MiB. Extraiga conversations.json del ZIP o divídalo en varios archivos.',
  reading: (name) => `Leyendo ${name}…`,
  sources: { parlance: 'Parlance', chatgpt: 'ChatGPT', claude: 'Claude' },
  found: (source, n) =>
    plural(n, {
      one: `El archivo de ${source} tiene {n} conversación nueva.`,
      other: `El archivo de ${source} tiene {n} conversaciones nuevas.`,
    }),
  foundPart: 'No se pudo leer todo el archivo a tiempo, así que puede contener más.',
  unchanged: (n) => plural(n, { one: '{n} conversación ya existe.', other: '{n} conversaciones ya existen.' }),
  deleted: (n) =>
    plural(n, {
      one: '{n} conversación se eliminó aquí y sigue eliminada.',
      other: '{n} conversaciones se eliminaron aquí y siguen eliminadas.',
    }),
  leftOut: 'Lo que se omite',
  reason: 'Motivo',
  inConversations: 'Conversaciones',
  times: 'Veces',
  leftOutPart: (shown, all) => `Recuento en ${shown} de ${all} entradas.`,
  allTaken: 'No se omite nada.',
  start: (n) => plural(n, { one: 'Importar {n} conversación', other: 'Importar {n} conversaciones' }),
  goOn: 'Importar el resto',
  importing: (n) => plural(n, { one: '{n} conversación importada hasta ahora…', other: '{n} conversaciones importadas hasta ahora…' }),
  imported: (n) => plural(n, { one: 'Se importó {n} conversación.', other: 'Se importaron {n} conversaciones.' }),
  incomplete: 'El servidor no pudo importarlas todas a tiempo.',
};
