import type { adminTokens as English } from '../../en/admin/tokens.ts';

/** Texts of service accounts. */
const accounts: (typeof English)['accounts'] = {
  description:
    'Usuarios solo para programas. No tienen contraseña ni pueden iniciar sesión: los programas actúan en su nombre con tokens de acceso.',
  create: 'Nueva cuenta de servicio',
  emptyTitle: 'No hay cuentas de servicio',
  emptyText:
    'Elija «Nueva cuenta de servicio» para crear una para un programa que no actúa en nombre de un solo usuario, como un importador.',
  name: 'Nombre',
  nameHelp: 'Por ejemplo, el nombre del programa.',
  nameMissing: 'Escriba un nombre.',
  owner: 'Propietario',
  ownerHelp: 'El grupo propietario de la cuenta. La cuenta es miembro de él y tiene sus permisos.',
  ownerMissing: 'Elija un grupo.',
  chooseGroup: 'Elegir un grupo',
  ownerGone: 'eliminado',
  ownerGoneText: 'El grupo propietario de la cuenta se eliminó. Sus tokens no se aceptan.',
  furtherGroups: 'Grupos adicionales',
  groups: 'Grupos',
  groupsText: 'Los grupos determinan los permisos de la cuenta de servicio. Un cambio se aplica a todos sus tokens de inmediato.',
  state: 'Estado',
  enabled: 'Activada',
  disabled: 'Desactivada',
  created: 'Creada',
  createdNow: 'Cuenta de servicio creada. Cree un token para su programa.',
  facts: 'Cuenta',
  id: 'ID de usuario',
  all: 'Todas las cuentas de servicio',
  gone: 'Esta cuenta de servicio no existe',
  goneText: 'Puede que se haya eliminado. Sus costos siguen incluidos en todos los totales.',
  rename: 'Cambiar nombre',
  renameTitle: 'Cambiar el nombre de la cuenta de servicio',
  renamed: 'Nombre guardado.',
  disable: 'Desactivar',
  disableTitle: '¿Desactivar la cuenta de servicio?',
  disableText: 'A partir de ahora se rechazarán las solicitudes con sus tokens. No se elimina nada, y la cuenta se puede activar de nuevo.',
  disabledNow: 'Cuenta de servicio desactivada.',
  enable: 'Activar',
  enabledNow: 'Cuenta de servicio activada. Sus tokens se aceptan de nuevo.',
  deleteTitle: (name) => `¿Eliminar ${name}?`,
  deleteText:
    'La cuenta de servicio, sus tokens y su contenido, como bots y conversaciones, se eliminarán de todos los servicios. Los totales de costos no cambian. Esta acción no se puede deshacer.',
  deleteForever: 'Eliminar definitivamente',
  deletedTitle: 'Cuenta de servicio eliminada',
  tokens: 'Tokens de acceso',
  noTokens: 'La cuenta de servicio no tiene tokens de acceso',
  tokensText: 'Asigne a cada programa un token propio, para poder revocarlo por separado.',
};

/** Texts of the list of all tokens. */
const all: (typeof English)['all'] = {
  title: 'Tokens de acceso',
  description:
    'Los tokens de acceso de todos los usuarios y cuentas de servicio, del más antiguo al más reciente. Cada visita a esta página queda en el registro de auditoría.',
  owner: 'En nombre de',
  by: (name) => `Creado por ${name}`,
  none: 'No hay tokens de acceso',
  noneText: 'Los usuarios los crean en la página de su cuenta; los administradores, en las páginas de las cuentas de servicio.',
};

export const adminTokens: typeof English = { accounts, all };
