BEGIN TRANSACTION;
CREATE TABLE commits (
       position INTEGER PRIMARY KEY,
       stream TEXT NOT NULL,
       version INTEGER NOT NULL,
       once TEXT,
       events TEXT NOT NULL,
       metadata TEXT NOT NULL
     );
INSERT INTO "commits" VALUES(1,'s-0',1,NULL,'[{"id":"01M8H0BBBE0WM4477YCWB7ZEST","schema":1,"event":{"type":"Hidden","n":0}},{"id":"01M8H0BBBFQES4B03WDYW1WMV9","schema":1,"event":{"type":"Counted","n":0}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(2,'s-1',1,NULL,'[{"id":"01M8H0BBBNTCDT6NNQBG2RXVRN","schema":1,"event":{"type":"Hidden","n":1}},{"id":"01M8H0BBBNTCDT6NNQBG2RXVRP","schema":1,"event":{"type":"Counted","n":1}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(3,'s-2',1,NULL,'[{"id":"01M8H0BBBVX2GX7YABEC3PC2CR","schema":1,"event":{"type":"Hidden","n":2}},{"id":"01M8H0BBBVX2GX7YABEC3PC2CS","schema":1,"event":{"type":"Counted","n":2}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(4,'s-3',1,NULL,'[{"id":"01M8H0BBCWM5HEWY09EYD298WD","schema":1,"event":{"type":"Hidden","n":3}},{"id":"01M8H0BBCWM5HEWY09EYD298WE","schema":1,"event":{"type":"Counted","n":3}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(5,'s-4',1,NULL,'[{"id":"01M8H0BBCZ6HKTWSYQKV75X5X0","schema":1,"event":{"type":"Hidden","n":4}},{"id":"01M8H0BBCZ6HKTWSYQKV75X5X1","schema":1,"event":{"type":"Counted","n":4}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(6,'s-0',2,NULL,'[{"id":"01M8H0BBD1YHPXWHJBJ27CRC8M","schema":1,"event":{"type":"Hidden","n":5}},{"id":"01M8H0BBD1YHPXWHJBJ27CRC8N","schema":1,"event":{"type":"Counted","n":5}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(7,'s-1',2,NULL,'[{"id":"01M8H0BBD3QNNC338M2DT4E3ZD","schema":1,"event":{"type":"Hidden","n":6}},{"id":"01M8H0BBD3QNNC338M2DT4E3ZE","schema":1,"event":{"type":"Counted","n":6}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(8,'s-2',2,NULL,'[{"id":"01M8H0BBD43C4HN5GSC6F6YXZ8","schema":1,"event":{"type":"Hidden","n":7}},{"id":"01M8H0BBD43C4HN5GSC6F6YXZ9","schema":1,"event":{"type":"Counted","n":7}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(9,'s-3',2,NULL,'[{"id":"01M8H0BBD43C4HN5GSC6F6YXZA","schema":1,"event":{"type":"Hidden","n":8}},{"id":"01M8H0BBD43C4HN5GSC6F6YXZB","schema":1,"event":{"type":"Counted","n":8}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(10,'s-4',2,NULL,'[{"id":"01M8H0BBD66BE95GSRPA3MHZ6A","schema":1,"event":{"type":"Hidden","n":9}},{"id":"01M8H0BBD66BE95GSRPA3MHZ6B","schema":1,"event":{"type":"Counted","n":9}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(11,'s-0',3,NULL,'[{"id":"01M8H0BBD75Z9RRR8X7D6NCK8X","schema":1,"event":{"type":"Hidden","n":10}},{"id":"01M8H0BBD75Z9RRR8X7D6NCK8Y","schema":1,"event":{"type":"Counted","n":10}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(12,'s-1',3,NULL,'[{"id":"01M8H0BBD989YSQE7W7W0ENHMT","schema":1,"event":{"type":"Hidden","n":11}},{"id":"01M8H0BBD989YSQE7W7W0ENHMV","schema":1,"event":{"type":"Counted","n":11}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(13,'s-2',3,NULL,'[{"id":"01M8H0BBDA5YSYS40YGTFZ6ZWD","schema":1,"event":{"type":"Hidden","n":12}},{"id":"01M8H0BBDA5YSYS40YGTFZ6ZWE","schema":1,"event":{"type":"Counted","n":12}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(14,'s-3',3,NULL,'[{"id":"01M8H0BBDA5YSYS40YGTFZ6ZWF","schema":1,"event":{"type":"Hidden","n":13}},{"id":"01M8H0BBDA5YSYS40YGTFZ6ZWG","schema":1,"event":{"type":"Counted","n":13}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(15,'s-4',3,NULL,'[{"id":"01M8H0BBDNR995MMS2K69GVA92","schema":1,"event":{"type":"Hidden","n":14}},{"id":"01M8H0BBDNR995MMS2K69GVA93","schema":1,"event":{"type":"Counted","n":14}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(16,'s-0',4,NULL,'[{"id":"01M8H0BBDPK7QS8JKH5XWWRH78","schema":1,"event":{"type":"Hidden","n":15}},{"id":"01M8H0BBDPK7QS8JKH5XWWRH79","schema":1,"event":{"type":"Counted","n":15}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(17,'s-1',4,NULL,'[{"id":"01M8H0BBDRR1E4PCTBHT5RNAAK","schema":1,"event":{"type":"Hidden","n":16}},{"id":"01M8H0BBDSNJ70HH3T81SR3BYE","schema":1,"event":{"type":"Counted","n":16}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(18,'s-2',4,NULL,'[{"id":"01M8H0BBDSNJ70HH3T81SR3BYF","schema":1,"event":{"type":"Hidden","n":17}},{"id":"01M8H0BBDSNJ70HH3T81SR3BYG","schema":1,"event":{"type":"Counted","n":17}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(19,'s-3',4,NULL,'[{"id":"01M8H0BBDVYK5YMNNZ7ZX4RNGJ","schema":1,"event":{"type":"Hidden","n":18}},{"id":"01M8H0BBDVYK5YMNNZ7ZX4RNGK","schema":1,"event":{"type":"Counted","n":18}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(20,'s-4',4,NULL,'[{"id":"01M8H0BBDW46BRFC11PXHPY323","schema":1,"event":{"type":"Hidden","n":19}},{"id":"01M8H0BBDW46BRFC11PXHPY324","schema":1,"event":{"type":"Counted","n":19}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(21,'s-0',5,NULL,'[{"id":"01M8H0BBDW46BRFC11PXHPY325","schema":1,"event":{"type":"Hidden","n":20}},{"id":"01M8H0BBDW46BRFC11PXHPY326","schema":1,"event":{"type":"Counted","n":20}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(22,'s-1',5,NULL,'[{"id":"01M8H0BBDW46BRFC11PXHPY327","schema":1,"event":{"type":"Hidden","n":21}},{"id":"01M8H0BBDW46BRFC11PXHPY328","schema":1,"event":{"type":"Counted","n":21}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(23,'s-2',5,NULL,'[{"id":"01M8H0BBEVPRE116G069VT1HZB","schema":1,"event":{"type":"Hidden","n":22}},{"id":"01M8H0BBEVPRE116G069VT1HZC","schema":1,"event":{"type":"Counted","n":22}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(24,'s-3',5,NULL,'[{"id":"01M8H0BBF10Q6TPERQE3J6CT61","schema":1,"event":{"type":"Hidden","n":23}},{"id":"01M8H0BBF10Q6TPERQE3J6CT62","schema":1,"event":{"type":"Counted","n":23}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(25,'s-4',5,NULL,'[{"id":"01M8H0BBFB4R7G8V3K8DG3XEC4","schema":1,"event":{"type":"Hidden","n":24}},{"id":"01M8H0BBFB4R7G8V3K8DG3XEC5","schema":1,"event":{"type":"Counted","n":24}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(26,'s-0',6,NULL,'[{"id":"01M8H0BBK7XZ1AMBGB6Y1GC3Q6","schema":1,"event":{"type":"Hidden","n":25}},{"id":"01M8H0BBK7XZ1AMBGB6Y1GC3Q7","schema":1,"event":{"type":"Counted","n":25}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(27,'s-1',6,NULL,'[{"id":"01M8H0BBKSJAV0Y5VNN5V90WND","schema":1,"event":{"type":"Hidden","n":26}},{"id":"01M8H0BBKSJAV0Y5VNN5V90WNE","schema":1,"event":{"type":"Counted","n":26}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(28,'s-2',6,NULL,'[{"id":"01M8H0BBKT48ZPFWGG4RQC731A","schema":1,"event":{"type":"Hidden","n":27}},{"id":"01M8H0BBKT48ZPFWGG4RQC731B","schema":1,"event":{"type":"Counted","n":27}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(29,'s-3',6,NULL,'[{"id":"01M8H0BBKT48ZPFWGG4RQC731C","schema":1,"event":{"type":"Hidden","n":28}},{"id":"01M8H0BBKT48ZPFWGG4RQC731D","schema":1,"event":{"type":"Counted","n":28}}]','{"at":1793491200000,"requestId":"r"}');
INSERT INTO "commits" VALUES(30,'s-4',6,NULL,'[{"id":"01M8H0BBKVV2SA1NCA9XPP1P05","schema":1,"event":{"type":"Hidden","n":29}},{"id":"01M8H0BBKVV2SA1NCA9XPP1P06","schema":1,"event":{"type":"Counted","n":29}}]','{"at":1793491200000,"requestId":"r"}');
CREATE TABLE once (name TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE relay_checkpoints (relay TEXT PRIMARY KEY, epoch INTEGER NOT NULL, position INTEGER NOT NULL, owner TEXT NOT NULL,
       expires INTEGER NOT NULL, release INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
INSERT INTO "relay_checkpoints" VALUES('parlance.counting',3,22,'the one process',1795867127398,0);
CREATE TABLE schema_steps (module TEXT NOT NULL, step INTEGER NOT NULL, PRIMARY KEY (module, step)) WITHOUT ROWID;
INSERT INTO "schema_steps" VALUES('event-store',1);
INSERT INTO "schema_steps" VALUES('event-store',2);
INSERT INTO "schema_steps" VALUES('relay',1);
INSERT INTO "schema_steps" VALUES('relay',2);
CREATE TABLE snapshots (
       stream TEXT NOT NULL,
       shape TEXT NOT NULL,
       version INTEGER NOT NULL,
       state TEXT NOT NULL,
       PRIMARY KEY (stream, shape)
     );
CREATE UNIQUE INDEX commits_by_version ON commits (stream, version);
CREATE INDEX once_by_position ON once (position);
COMMIT;
