import type { ExceededBudget } from '@parlance/client';
import type { common as English } from '../en/common.ts';

const PERIODS = { DAY: 'diario', WEEK: 'semanal', MONTH: 'mensual' };
const OWNERS = {
  all: 'de todos los usuarios',
  bot: 'de este bot',
  key: 'de esta clave de API',
  token: 'de este token',
  cost_centre: 'de este centro de costos',
};

function nameOfBudget({ scope, group, period }: ExceededBudget): string {
  const name = `presupuesto ${PERIODS[period]}`;
  if (scope === 'user') return `su ${name}`;
  return `el ${name} ${scope === 'group' ? `del grupo ${group}` : OWNERS[scope]}`;
}

export const common: typeof English = {
  appName: 'Parlance',
  save: 'Guardar',
  passwordHelp: 'Al menos 8 caracteres.',
  showPassword: 'Mostrar contraseña',
  cancel: 'Cancelar',
  close: 'Cerrar',
  delete: 'Eliminar',
  remove: 'Quitar',
  create: 'Crear',
  search: 'Buscar',
  copy: 'Copiar',
  copied: 'Copiado',
  copyFailed: 'El navegador no permitió copiar. Seleccione el texto y cópielo.',
  retry: 'Reintentar',
  back: 'Atrás',
  previous: 'Anterior',
  next: 'Siguiente',
  more: 'Más',
  loading: 'Cargando…',
  late: 'El servidor tarda en responder. Cargando…',
  optional: 'opcional',
  actions: 'Acciones',
  downloadCsv: 'Descargar CSV',
  asOf: (time) => `Datos actualizados el ${time}`,
  named: (name, value) => `${name}: ${value}`,
  requestId: (id) => `ID de solicitud: ${id}`,
  errorTitle: 'No se pudo cargar',
  retriedLater: 'La página lo reintentará automáticamente.',
  partMissing: 'No se pudo cargar una parte de esta página. Guarde su trabajo y vuelva a cargar la página.',
  noAnswer: 'El servidor no respondió. Compruebe la conexión e inténtelo de nuevo.',
  secretLost: 'Se perdió la respuesta con el secreto y el servidor no guarda ninguna copia. Elimine la entrada nueva y cree otra.',
  budgetExceeded: (budget, time) => `No queda suficiente en ${nameOfBudget(budget)}. Se renueva el ${time}.`,
  stepUpNeeded: 'No se cambió nada. Inténtelo de nuevo y confirme con el segundo factor.',
  offline: 'Sin conexión con el servidor. La página continuará cuando vuelva la conexión.',
  notFoundTitle: 'Esta página no existe',
  notFoundText: 'Compruebe la dirección.',
  toStart: 'Ir a la página de inicio',
  noAccessTitle: 'Esta página es para administradores',
  noAccessText: 'Solicite acceso a un administrador de esta instalación.',
  skipToContent: 'Ir al contenido',
  menu: 'Menú',
  openMenu: 'Abrir el menú',
  closeMenu: 'Cerrar el menú',
  hideNavigation: 'Ocultar la navegación',
  showNavigation: 'Mostrar la navegación',
  commands: 'Búsqueda y comandos',
  account: 'Cuenta',
  signOut: 'Cerrar sesión',
  newChat: 'Nuevo chat',
  chats: 'Chats',
  bots: 'Bots',
  store: 'Tienda',
  prompts: 'Prompts',
  admin: 'Administración',
};
