import type { charts as English } from '../en/charts.ts';

export const charts: typeof English = {
  day: 'Dia',
  showTable: 'Mostrar como tabela',
  showChart: 'Mostrar como gráfico',
  noDays: 'Nada foi registrado neste período.',
};
