import type { retention as English } from '../../../en/admin/operations/retention.ts';
import { plural } from '../../../plural.ts';

export const retention: typeof English = {
  title: 'Conservación',
  description:
    'Reglas que eliminan conversaciones antiguas, los archivos de mensajes antiguos o exportaciones antiguas. Sin una regla, solo los usuarios eliminan conversaciones.',
  create: 'Nueva regla',
  createTitle: 'Nueva regla de conservación',
  createText: 'La regla aún no elimina nada. En el paso siguiente se muestra cuánto eliminaría y se puede activar.',
  changeTitle: 'Modificar la regla',
  changeText: 'Al guardar un cambio, la regla se desactiva. En el paso siguiente se muestra cuánto eliminaría y se puede activar de nuevo.',
  emptyTitle: 'No hay reglas',
  emptyText: 'Las conversaciones se conservan hasta que sus usuarios las eliminen. Cree una regla con «Nueva regla».',
  kind: 'Qué elimina',
  kinds: { conversations: 'Conversaciones', exports: 'Exportaciones de conversaciones', uploads: 'Archivos en conversaciones' },
  kindsHelp:
    'Las exportaciones son los archivos por horas y por días para administradores. Al eliminar exportaciones, o las imágenes y los archivos adjuntos de los mensajes, no se eliminan las conversaciones.',
  allExports: 'Todas las exportaciones',
  appliesTo: 'Se aplica a',
  filesOf: (subject) => `Archivos: ${subject}`,
  scopes: { all: 'Todas las conversaciones', bot: 'Conversaciones con un bot', group: 'Conversaciones de un grupo' },
  scopesHelp: 'Una conversación se elimina en cuanto se le aplica una regla activada.',
  scopesHelpForFiles: 'Los archivos de un mensaje se eliminan en cuanto se aplica una regla activada a su conversación.',
  bot: 'Bot',
  botHelp: 'Escriba palabras de su título. Para un bot privado, escriba su ID. También se eliminan las conversaciones de su API publicada.',
  group: 'Grupo',
  groupHelp:
    'Se aplica a las conversaciones de los usuarios que están en el grupo cuando se ejecuta la regla, pero no a las de las API que hayan publicado.',
  missingBot: 'Elija un bot de la lista o escriba su ID.',
  missingGroup: 'Elija un grupo.',
  days: 'Días desde el último mensaje',
  daysColumn: 'Días',
  daysOfExports: 'Días desde el día de la exportación',
  daysOfUploads: 'Días desde el mensaje',
  daysHelp: 'De 1 a 3650.',
  daysMissing: 'Escriba un número de días entre 1 y 3650.',
  after: (days) => plural(days, { one: 'Después de {n} día', other: 'Después de {n} días' }),
  ruleOf: (name, days) => plural(days, { one: `${name}, después de {n} día`, other: `${name}, después de {n} días` }),
  state: 'Estado',
  enabled: 'Activada',
  disabled: 'Desactivada',
  created: 'Creada',
  enable: 'Activar',
  enableOf: (rule) => `Activar la regla: ${rule}`,
  disable: 'Desactivar',
  disableOf: (rule) => `Desactivar la regla: ${rule}`,
  change: 'Modificar',
  changeOf: (rule) => `Modificar la regla: ${rule}`,
  removeOf: (rule) => `Eliminar la regla: ${rule}`,
  enableTitle: '¿Activar la regla?',
  counting: 'Contando…',
  wouldDelete: (n) =>
    plural(n, {
      one: 'La regla eliminará {n} conversación en unos minutos, y otras cuando alcancen la antigüedad indicada.',
      other: 'La regla eliminará {n} conversaciones en unos minutos, y otras cuando alcancen la antigüedad indicada.',
    }),
  wouldDeleteMore: (n) =>
    plural(n, {
      other:
        'La regla eliminará al menos {n} conversaciones en unos minutos, y otras cuando alcancen la antigüedad indicada. No se contaron todas.',
    }),
  wouldDeleteNone:
    'Ninguna conversación alcanza todavía la antigüedad indicada. La regla eliminará las conversaciones a medida que la alcancen.',
  wouldDeleteResponses: (n) =>
    plural(n, {
      one: 'También eliminará {n} respuesta guardada por un programa.',
      other: 'También eliminará {n} respuestas guardadas por programas.',
    }),
  wouldRemoveExports: (n) =>
    plural(n, {
      one: 'La regla eliminará {n} archivo en unos minutos, y otros cuando alcancen la antigüedad indicada.',
      other: 'La regla eliminará {n} archivos en unos minutos, y otros cuando alcancen la antigüedad indicada.',
    }),
  wouldRemoveMore: (n) =>
    plural(n, {
      other:
        'La regla eliminará al menos {n} archivos en unos minutos, y otros cuando alcancen la antigüedad indicada. No se contaron todos.',
    }),
  wouldRemoveNoUploads: 'Ningún archivo alcanza todavía la antigüedad indicada. La regla eliminará los archivos a medida que la alcancen.',
  uploadsAreGone: 'Los archivos eliminados no se pueden recuperar. Sus mensajes se conservan e indican que los archivos se eliminaron.',
  enableAndRemoveMore: (n) => plural(n, { other: 'Activar y eliminar {n} archivos o más' }),
  wouldRemoveNoExports:
    'Ninguna exportación alcanza todavía la antigüedad indicada. La regla eliminará los archivos a medida que la alcancen.',
  exportsAreWritten:
    'Sin la regla, las exportaciones de los últimos 400 días se vuelven a escribir a partir de las conversaciones que aún existen.',
  enableAndRemove: (n) => plural(n, { one: 'Activar y eliminar {n} archivo', other: 'Activar y eliminar {n} archivos' }),
  cannotBeUndone: 'Las conversaciones eliminadas no se pueden recuperar. Sus costos siguen incluidos en los totales.',
  keptDisabled: 'Si cancela, la regla sigue desactivada y no elimina nada.',
  enableAndDelete: (n) => plural(n, { one: 'Activar y eliminar {n} conversación', other: 'Activar y eliminar {n} conversaciones' }),
  enableAndDeleteMore: (n) => plural(n, { other: 'Activar y eliminar {n} conversaciones o más' }),
  stale: 'Esta regla ha cambiado desde que se abrió el cuadro de diálogo. Ciérrelo para ver los valores actuales.',
  saved: 'Regla guardada. Está desactivada.',
  enabledNow: 'Regla activada.',
  disabledNow: 'Regla desactivada. Ya no elimina nada.',
  removeTitle: '¿Eliminar la regla?',
  removeText: (rule) => `La regla «${rule}» ya no eliminará nada. Lo que ya ha eliminado no se recupera.`,
  removed: 'Regla eliminada.',
};
