import type { entry as English } from '../en/entry.ts';
import { plural } from '../plural.ts';

/** Texts of the page that connects a model. */
const modelPage: (typeof English)['modelPage'] = {
  title: 'Agregar un modelo a la configuración',
  description:
    'Para operadores: los modelos de la configuración son los mismos en cada instalación nueva y no se pueden modificar en la consola. Requieren un reinicio.',
  withoutRestart: 'Conectarlo sin reiniciar',
  providerStep: '1. Elegir un proveedor',
  provider: 'Proveedor',
  providers: {
    anthropic: 'Anthropic',
    openai: 'OpenAI',
    bedrock: 'Amazon Bedrock',
    openai_compatible: 'Un servidor compatible con OpenAI (vLLM, Ollama, LiteLLM)',
  },
  region: 'Región',
  regionHelp: 'Los modelos integrados usan perfiles de inferencia para regiones de EE. UU.',
  baseUrl: 'Dirección del servidor',
  baseUrlHelp: 'Con /v1 incluido. Parlance debe poder acceder a ella.',
  modelName: 'Nombre del modelo en el servidor',
  contextWindow: 'Ventana de contexto en tokens',
  configurationStep: '2. Agregar esto a la configuración',
  configurationText:
    'Sustituya el texto en mayúsculas por su clave. Use el archivo parlance.config.json, en la carpeta donde se inicia Parlance, o la variable de entorno. Después, reinicie Parlance.',
  keyNote: 'Las claves van en la configuración del servidor. Esta página nunca pide ni envía ninguna.',
  file: 'parlance.config.json',
  variable: 'Variable de entorno',
  checkStep: '3. Comprobar que funciona',
  checkText: 'Después del reinicio, elija uno de los modelos disponibles. La comprobación es una llamada corta que se le cobrará.',
  model: 'Modelo',
  reload: 'Actualizar la lista',
  noModels: 'Aún no hay disponible ningún modelo de un proveedor. Agregue la configuración, reinicie Parlance y actualice la lista.',
  check: 'Comprobar el modelo',
  works: (model, seconds) => `${model} respondió en ${seconds}.`,
  fails: (model) => `${model} aún no funciona`,
  startChat: 'Iniciar un chat con él',
};

/** Texts of the pages in pages/entry. */
export const entry: typeof English = {
  signIn: 'Iniciar sesión',
  signInTitle: 'Iniciar sesión en Parlance',
  language: 'Idioma',
  sessionEnded: 'La sesión ha terminado. Inicie sesión para continuar. Los mensajes sin enviar se conservan.',
  email: 'Correo electrónico',
  password: 'Contraseña',
  signInWith: (provider) => `Iniciar sesión con ${provider}`,
  or: 'o',
  providerErrors: {
    invalid_oidc_state: 'El inicio de sesión no comenzó en este navegador o comenzó hace más de diez minutos. Empiece de nuevo.',
    oidc_refused:
      'El proveedor de identidad no confirmó su identidad. Inténtelo de nuevo y, si vuelve a ocurrir, consulte a un administrador.',
    email_not_verified:
      'El proveedor de identidad no indica que la dirección de correo esté verificada. Verifíquela allí e inicie sesión de nuevo.',
    email_domain_not_allowed: 'Con este proveedor no se aceptan direcciones de su dominio de correo. Solicite acceso a un administrador.',
    no_such_account: 'No tiene cuenta aquí, y al iniciar sesión con este proveedor no se crea ninguna. Solicite una a un administrador.',
    user_disabled: 'La cuenta está desactivada. Pida a un administrador que la active.',
    provider_not_found: 'Este proveedor de identidad ya no está configurado aquí. Elija otra forma de iniciar sesión.',
    oidc_provider_unavailable: 'El proveedor de identidad no responde. Espere un minuto e inténtelo de nuevo.',
  },
  providerFailed: (code) =>
    `No se pudo iniciar sesión con el proveedor de identidad. Inténtelo de nuevo. Si vuelve a ocurrir, indique a un administrador el código ${code}.`,
  noAccount: '¿Aún no tiene cuenta?',
  forgotten: 'Si olvidó la contraseña, pida a un administrador un enlace para establecer otra.',
  forgottenLink: '¿Olvidó la contraseña?',
  forgottenTitle: 'Restablecer la contraseña por correo',
  forgottenText: 'Recibirá un correo con un enlace que funciona una sola vez, durante una hora.',
  sendLink: 'Enviar el enlace',
  linkSent: (email) =>
    `Si ${email} pertenece a un usuario que inicia sesión con contraseña, se le ha enviado un correo con un enlace. Si no llega en unos minutos, consulte a un administrador.`,
  backToSignIn: 'Volver al inicio de sesión',
  waitSeconds: (n) => plural(n, { one: 'Podrá intentarlo de nuevo en {n} segundo.', other: 'Podrá intentarlo de nuevo en {n} segundos.' }),
  waitMinutes: (n) => plural(n, { one: 'Podrá intentarlo de nuevo en {n} minuto.', other: 'Podrá intentarlo de nuevo en {n} minutos.' }),

  signUp: 'Crear cuenta',
  signUpTitle: 'Crear una cuenta',
  firstName: 'Nombre',
  lastName: 'Apellidos',
  hasAccount: '¿Ya tiene una cuenta?',
  signUpClosed: 'Aquí no está permitido el registro',
  signUpClosedText: 'Solicite una cuenta a un administrador de esta instalación.',
  allowedDomains: (domains) => `Solo pueden registrarse direcciones de estos dominios: ${domains}.`,

  newPassword: 'Nueva contraseña',
  temporaryPassword: 'Contraseña actual',
  setPassword: 'Establecer contraseña',
  passwordTitle: 'Elegir una nueva contraseña',
  passwordText: 'La contraseña la estableció otra persona o se mostró al iniciar Parlance. Elija una que nadie más conozca.',
  passwordChanged: 'Contraseña cambiada.',

  invitationTitle: 'Aceptar la invitación',
  invitationText: (email) => `La cuenta pertenecerá a ${email}.`,
  invitationIncompleteText: 'Abra el enlace completo del correo. Cada enlace funciona una sola vez.',
  accept: 'Crear la cuenta',
  verificationTitle: 'Confirmar la dirección de correo',
  verify: 'Confirmar la dirección',
  emailNotVerified: 'La dirección de correo aún no está confirmada. Abra el enlace del correo recibido o solicite otro.',
  signedUpText: (email) => `Cuenta creada. Se ha enviado un correo con un enlace a ${email}. Abra el enlace y después inicie sesión.`,
  anotherMail: 'Enviar otro correo',
  verificationSent: (email) =>
    `Se ha enviado un correo a ${email}, salvo que ya se enviara uno en los últimos cinco minutos. Abra el enlace del más reciente y vuelva a iniciar sesión.`,
  verified: 'Dirección confirmada. Ya puede iniciar sesión.',
  resetTitle: 'Establecer una nueva contraseña',
  resetText: 'Esto cierra todas las sesiones abiertas. Después, inicie sesión con la nueva contraseña.',
  resetDone: 'Contraseña cambiada. Inicie sesión con la nueva.',
  resetIncomplete: 'Este enlace está incompleto',
  resetIncompleteText: 'Abra el enlace completo que recibió. Cada enlace funciona una sola vez.',

  welcomeTitle: 'Le damos la bienvenida a Parlance',
  welcomeText: 'Esta es la cuenta de administrador de la instalación. Elija una nueva contraseña para empezar.',
  welcomeStarting: 'Iniciando sesión…',
  welcomeIncomplete: 'Este enlace está incompleto',
  welcomeIncompleteText: 'Abra el enlace completo que Parlance mostró al iniciarse, o inicie sesión.',
  welcomeUsed: 'Este enlace ya se usó. Inicie sesión con su contraseña.',
  welcomeFailed: 'Este enlace ya no funciona',
  welcomeFailedText: 'El enlace que muestra Parlance funciona hasta que se cambie la contraseña. Inicie sesión con la nueva.',

  firstSteps: 'Próximos pasos',
  hideFirstSteps: 'Ocultar estas sugerencias',
  makeBot: 'Crear un bot a partir de archivos',
  makeBotText: 'Cargue documentos y obtenga respuestas que los citan.',
  connectModel: 'Conectar un modelo',
  connectModelText: 'Use modelos de Anthropic, OpenAI o Amazon Bedrock, o un servidor propio.',

  modelPage,
};
