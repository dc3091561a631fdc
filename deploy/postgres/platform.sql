-- Run once, by the image of PostgreSQL, when its volume is new. The platform is no superuser: a statement that an
-- attacker got in must not reach files and programs of the machine.
\getenv password DATABASE_PASSWORD
create role platform login password :'password';
create database platform owner platform;
