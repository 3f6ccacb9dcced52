-- Run once by PostgreSQL's image, on an empty folder (/docker-entrypoint-initdb.d): the role that nodes connect as.
-- It may do nothing yet; `puntobanco migrate --node floor_node`, by the owner, lets it append.
\set password `cat /run/secrets/node_password`
CREATE ROLE floor_node LOGIN PASSWORD :'password';
