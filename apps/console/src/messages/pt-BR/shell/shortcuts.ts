import type { shortcuts as English } from '../../en/shell/shortcuts.ts';

export const shortcuts: typeof English = {
  title: 'Atalhos de teclado',
  keys: { control: 'Ctrl', shift: 'Shift', enter: 'Enter', escape: 'Esc' },
  everywhere: 'Em todas as páginas',
  palette: 'Pesquisar e executar comandos',
  newChat: 'Iniciar um novo chat',
  navigation: 'Ocultar ou mostrar a navegação',
  field: 'Ir para o campo de mensagem',
  list: 'Mostrar esta lista',
  inMessage: 'Ao escrever uma mensagem',
  send: 'Enviar a mensagem',
  newLine: 'Começar uma nova linha',
  bot: 'Escolher um bot',
  prompt: 'Inserir um prompt, no início de uma linha',
};
