import type { chat as English } from '../en/chat.ts';
import { formatNumber } from '../format.ts';
import { locale } from '../locale.ts';
import { plural } from '../plural.ts';

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Texts of the pages in pages/chat. */
export const chat: typeof English = {
  newTitle: '¿En qué puedo ayudar?',
  newText: 'Haga una pregunta o escriba @ para elegir un bot.',
  unknownTitle: 'Este chat no existe',
  unknownText: 'Se eliminó o pertenece a otro usuario.',
  untitled: 'Chat sin título',
  placeholder: 'Escriba un mensaje',
  chooseReply: 'Elija una de las respuestas anteriores antes de enviar el siguiente mensaje.',
  askBot: (bot) => `Preguntar a ${bot}`,
  composer: 'Nuevo mensaje',
  message: 'Mensaje',
  messages: 'Mensajes',
  send: 'Enviar',
  stop: 'Detener la respuesta',
  sending: 'Enviando…',
  notSent: 'El mensaje no se envió',
  notSentBecauseOf: (file) => `El mensaje no se envió a causa de ${file}`,
  retryIn: (seconds) =>
    plural(seconds, { one: 'Podrá enviarlo de nuevo en {n} segundo.', other: 'Podrá enviarlo de nuevo en {n} segundos.' }),
  retryAt: (time) => `Podrá enviarlo de nuevo a partir del ${time}.`,
  retryNow: 'Ya puede enviarlo de nuevo.',
  starters: 'Sugerencias',
  botNotReady: {
    QUEUED: 'Aún se está leyendo el conocimiento de este bot. Hasta que termine, las respuestas podrían no tenerlo en cuenta.',
    RUNNING: 'Aún se está leyendo el conocimiento de este bot. Hasta que termine, las respuestas podrían no tenerlo en cuenta.',
    FAILED: 'No se pudo leer el conocimiento de este bot. Las respuestas solo usan lo que se leyó antes.',
  },
  botUnavailable: 'Este bot no está disponible. Se eliminó o ya no se comparte.',
  modelsUnknown: 'No se pudieron cargar los modelos. Recargue la página.',
  noModel: 'No hay ningún modelo disponible. Un administrador debe conectar uno.',
  model: 'Modelo',
  reason: 'Razonar antes',
  temporary: 'Temporal',
  temporaryText: (hours) =>
    `Este chat no aparece en listas ni búsquedas y se elimina ${
      hours === undefined ? 'unas horas' : plural(hours, { one: '{n} hora', other: '{n} horas' })
    } después del último mensaje. Hasta entonces, los administradores pueden verlo entre los chats del usuario.`,
  withoutMemory: 'Sin memoria',
  withoutMemoryText: 'En este chat, los modelos no ven las entradas de la memoria ni agregan otras.',

  chooseBot: 'Elegir un bot',
  attach: 'Adjuntar archivos',
  dropFiles: 'Suelte los archivos para adjuntarlos',
  attachments: 'Archivos adjuntos',
  removeFile: (name) => `Quitar ${name}`,
  files: (n) => plural(n, { one: '{n} archivo', other: '{n} archivos' }),
  noVision: 'Este modelo no puede ver imágenes. Elija otro modelo o quite las imágenes.',
  fileRefused: {
    empty: (name) => `${name} está vacío.`,
    unreadable: (name) =>
      `${name} es de un tipo que no se puede leer. Adjunte un PDF, un archivo de Office (DOCX, XLSX, PPTX), un archivo de texto o una imagen.`,
    image_too_large: (name) => `${name} es demasiado grande. El límite para una imagen es de ${formatNumber(3.75)} MiB.`,
    file_too_large: (name) => `${name} es demasiado grande. El límite para un archivo es de 10 MiB.`,
    too_many_images: (name) => `${name} no se adjuntó. Un mensaje admite 20 imágenes como máximo.`,
    too_many_files: (name) => `${name} no se adjuntó. Un mensaje admite 10 archivos como máximo.`,
    too_large_together: (name) => `${name} no se adjuntó. El límite para todos los archivos de un mensaje es de 14 MiB.`,
  },
  image: 'Imagen',
  sentImage: 'Imagen enviada',
  nthImage: (index) => `imagen ${index}`,
  fileRemoved: 'Eliminado por una regla de conservación',
  download: 'Descargar',

  youWrote: 'Su mensaje',
  replyBy: 'Respuesta de',
  editMessage: 'Editar el mensaje',
  editLater: 'Se envía como una versión nueva. La anterior se conserva.',
  editFirst: 'El primer mensaje de un chat se envía como un chat nuevo.',
  versions: 'Versiones',
  version: (at, of) => `${at}/${of}`,
  earlierVersion: 'Versión anterior',
  laterVersion: 'Versión siguiente',
  earlierMessages: 'Ver mensajes anteriores',
  latest: 'Ir al final',

  writing: 'Escribiendo…',
  reasoning: 'Razonamiento',
  reasoningNow: 'Razonando…',
  continueReply: 'Continuar',
  again: 'Generar otra respuesta',
  connectionLost: 'Se perdió la conexión. La respuesta continúa en el servidor.',
  reconnect: 'Volver a conectar',
  stopped: {
    cancelled: 'Respuesta detenida por el usuario.',
    max_tokens: 'La respuesta alcanzó su longitud máxima.',
    max_tool_rounds: 'El modelo llamó a herramientas demasiadas veces.',
    content_filtered: 'El proveedor del modelo filtró esta respuesta.',
  },
  guardrail: { blocked: 'Sustituida por la barrera de protección', masked: 'Enmascarada por la barrera de protección' },
  announced: {
    writing: 'La respuesta se está escribiendo.',
    waiting: 'La respuesta espera una decisión.',
    done: 'La respuesta ha terminado.',
    failed: 'La respuesta falló.',
    lost: 'Se perdió la conexión.',
  },

  code: 'Código',
  codeIn: (language) => `Código: ${language}`,
  diagram: 'Diagrama',
  showCode: 'Ver el código',
  showDiagram: 'Ver el diagrama',
  copyCode: 'Copiar',
  showBeside: 'Ver junto al chat',
  table: 'Tabla',
  opensInNewTab: '(se abre en una pestaña nueva)',
  imageAt: (alt) => (alt === '' ? 'Imagen' : `Imagen: ${alt}`),
  source: 'Fuente',
  sources: 'Fuentes',
  page: (page) => `página ${page}`,
  citation: (rank, name, page) => `Fuente ${rank}: ${name}${page === null ? '' : `, página ${page}`}`,

  tool: (name) => `Herramienta: ${name}`,
  toolInput: 'Entrada',
  toolResult: 'Resultado',
  callStatus: {
    awaiting: 'Requiere aprobación',
    running: 'En curso',
    succeeded: 'Completada',
    failed: 'Fallida',
    denied: 'Denegada',
  },
  wouldDo: (name) => `El modelo quiere llamar a ${name} con esta entrada:`,
  approvalText: (until) =>
    until === null
      ? 'No ocurre nada hasta que decida.'
      : `No ocurre nada hasta que decida. Sin una decisión, la respuesta continuará sin la llamada el ${until}.`,
  approvalEnded: (at) =>
    `El plazo para decidir terminó el ${at}. La respuesta continúa sin la llamada. Si aún la necesita, pídala de nuevo cuando la respuesta esté completa.`,
  approvalOver: 'No aprobada a tiempo',
  approve: 'Aprobar',
  deny: 'Denegar',

  good: 'Buena respuesta',
  bad: 'Mala respuesta',
  feedbackTitle: '¿Qué falla en esta respuesta?',
  feedbackReason: 'Motivo',
  feedbackReasons: {
    incorrect: 'Es incorrecta',
    incomplete: 'Está incompleta',
    not_helpful: 'No es útil',
    wrong_source: 'Usa fuentes equivocadas',
    harmful: 'Es dañina u ofensiva',
    other: 'Otro motivo',
  },
  feedbackComment: 'Comentario (opcional)',
  feedbackHelp: 'Los administradores pueden leerlo.',
  sendFeedback: 'Enviar la valoración',
  feedbackThanks: 'Valoración guardada.',

  details: 'Detalles de la respuesta',
  costOfChat: 'Costo de este chat',

  searchChats: 'Buscar chats',
  found: (n, hasMore) => (hasMore ? `Más de ${n} chats` : plural(n, { one: '{n} chat', other: '{n} chats' })),
  noChats: 'Aún no hay chats. Escriba un mensaje para empezar uno.',
  pinned: 'Fijados',
  dateGroup: (group) => {
    if (typeof group === 'object')
      return capitalized(new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric' }).format(new Date(group.year, group.month)));
    return { today: 'Hoy', yesterday: 'Ayer', week: 'Últimos 7 días', month: 'Últimos 30 días' }[group];
  },
  actionsOf: (title) => `Acciones de ${title}`,
};
