export { acceptLossInDatabase, rebuildForeignInDatabases } from './installation/accept-loss-in-database.ts';
