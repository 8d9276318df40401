import type { audit as English } from '../../../en/admin/operations/audit.ts';
import { plural } from '../../../plural.ts';
import { auditActions } from './audit-actions.ts';

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The end of a sentence about what happened. Unknown actions, from a newer release, appear under their log name. */
function ending(action: string, success: boolean): string {
  const [done, refused] = auditActions[action] ?? [`ejecutó ${action}`, `ejecutar ${action}`];
  return success ? done : `no pudo ${refused}`;
}

export const audit: typeof English = {
  title: 'Registro de auditoría',
  description: 'Cambios, lecturas de datos de otros usuarios y rechazos. Las entradas no se pueden modificar.',
  filters: 'Filtros',
  action: 'Acción',
  actions: auditActions,
  /** Texts for the list of actions. */
  actionName: (action) => capitalized(auditActions[action]?.[1] ?? action),
  happened: (action, success) => capitalized(ending(action, success)),
  sentence: (actor, action, success) => `${actor} ${ending(action, success)}`,
  what: 'Qué ocurrió',
  actionId: 'Acción en el registro',
  resourceType: 'Tipo de recurso',
  resourceTypes: {
    audit_log: 'Registro de auditoría',
    bot: 'Bot',
    bots: 'Bots',
    budget: 'Presupuesto',
    configuration: 'Configuración',
    conversation: 'Conversación',
    costs: 'Costos',
    events: 'Eventos',
    export: 'Exportación',
    group: 'Grupo',
    hold: 'Retención legal',
    invitation: 'Invitación',
    message: 'Mensaje',
    model: 'Modelo',
    prompt: 'Prompt',
    provider: 'Proveedor de modelos',
    retention_rule: 'Regla de conservación',
    route: 'Ruta',
    scim_token: 'Token de aprovisionamiento',
    service: 'Servicio',
    session: 'Sesión',
    share: 'Enlace compartido',
    signing_key: 'Clave de firma',
    token: 'Token de acceso',
    tool_server: 'Servidor de herramientas',
    user: 'Usuario',
    users: 'Usuarios',
    webhook: 'Webhook',
  },
  resourceId: 'ID del recurso',
  userId: 'ID de usuario',
  showNoise: 'Mostrar las renovaciones rechazadas de sesiones terminadas',
  result: 'Resultado',
  any: 'Cualquiera',
  succeeded: 'Correcto',
  refused: 'Rechazado',
  from: 'Desde',
  until: 'Hasta',
  untilBeforeFrom: 'Indique un momento que no sea anterior a «Desde».',
  apply: 'Aplicar',
  clear: 'Borrar',
  emptyTitle: 'Ninguna entrada coincide',
  emptyText: 'Borre algunos filtros o elija un período más largo.',
  time: 'Fecha y hora',
  resource: 'Recurso',
  show: (what) => `${what}: ver la entrada`,
  actor: 'Autor',
  you: 'Usted',
  /** Callers that are not users. */
  actors: { anonymous: 'Un cliente desconocido', system: 'Parlance' },
  provisioning: 'Un token de aprovisionamiento',
  error: 'Motivo',
  address: 'Dirección IP',
  userAgent: 'Navegador o cliente',
  id: 'ID de entrada',
  full: 'Entrada completa',
  allOfUser: 'Todas las entradas de este usuario',
  allOfResource: 'Todas las entradas de este recurso',
  verify: 'Verificar el registro',
  verifyTitle: 'Verificación',
  verifying: 'La cadena de hashes se está recalculando. Con un registro largo, tarda unos segundos.',
  valid: (n) =>
    plural(n, {
      one: 'El registro es válido. Se comprobó {n} entrada.',
      other: 'El registro es válido. Se comprobaron {n} entradas.',
    }),
  broken: (id) => `El registro se ha modificado. La primera entrada que no coincide es ${id}.`,
  invalid: 'El registro no coincide con la cabeza de su cadena. Faltan entradas al final o se han modificado.',
  head: 'Cabeza de la cadena',
  headText: 'Guarde este hash fuera de la instalación. Un registro posterior debe contenerlo.',
  hash: 'Hash',
};
