import type { charts as English } from '../en/charts.ts';

/** Texts of the charts in ui/charts. */
export const charts: typeof English = {
  day: 'Día',
  showTable: 'Ver como tabla',
  showChart: 'Ver como gráfico',
  noDays: 'No hay datos registrados en este período.',
};
