import type { chatActions as English } from '../../en/chat/actions.ts';
import { plural } from '../../plural.ts';

/** Texts of a chat's menu and its dialogs. */
export const chatActions: typeof English = {
  share: 'Compartir',
  rename: 'Cambiar nombre',
  renamed: 'Nombre del chat cambiado.',
  title: 'Nombre',
  proposeTitle: 'Sugerir un nombre',
  pin: 'Fijar',
  unpin: 'Desfijar',
  toProject: 'Mover a un proyecto',
  memoryOff: 'Desactivar la memoria',
  memoryOn: 'Activar la memoria',
  memoryTurnedOff: 'Memoria desactivada en este chat.',
  memoryTurnedOn: 'Memoria activada en este chat.',
  download: 'Descargar como Markdown',
  print: 'Imprimir',
  deleteChat: 'Eliminar',
  deleteTitle: '¿Eliminar el chat?',
  deleteText: (title) =>
    `Se eliminará «${title}» con todos sus mensajes y archivos. Esta acción no se puede deshacer. Los totales de costos se conservan.`,
  deleted: (title, messages) =>
    `Se eliminó «${title}» con ${plural(messages, { one: '{n} mensaje', other: '{n} mensajes' })}. Su clave de cifrado se destruyó.`,
};
