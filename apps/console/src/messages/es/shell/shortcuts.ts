import type { shortcuts as English } from '../../en/shell/shortcuts.ts';

/** Texts of the list of keyboard shortcuts. */
export const shortcuts: typeof English = {
  title: 'Atajos de teclado',
  keys: { control: 'Ctrl', shift: 'Mayús', enter: 'Intro', escape: 'Esc' },
  everywhere: 'En todas las páginas',
  palette: 'Buscar y ejecutar comandos',
  newChat: 'Iniciar un chat nuevo',
  navigation: 'Ocultar o mostrar la navegación',
  field: 'Ir al campo de mensaje',
  list: 'Mostrar esta lista',
  inMessage: 'Al escribir un mensaje',
  send: 'Enviarlo',
  newLine: 'Empezar una línea nueva',
  bot: 'Elegir un bot',
  prompt: 'Insertar un prompt, al comienzo de una línea',
};
