export { acceptLossInDatabase } from './installation/accept-loss-in-database.ts';
