"""fastapi-pagination in its styles, and a Relay connection of strawberry, over 23 items: `python fastapi_app.py PORT`."""

import sys
from typing import Iterable

import strawberry
import uvicorn
from fastapi import FastAPI
from fastapi_pagination import LimitOffsetPage, Page, add_pagination, paginate
from fastapi_pagination.cursor import CursorPage
from fastapi_pagination.customization import CustomizedPage
from fastapi_pagination.ext.sqlalchemy import paginate as paginate_query
from fastapi_pagination.links import Page as LinksPage
from fastapi_pagination.links import UseHeaderLinks
from pydantic import BaseModel
from sqlalchemy import String, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.pool import StaticPool
from strawberry import relay
from strawberry.asgi import GraphQL


class Base(DeclarativeBase):
    pass


class Row(Base):
    __tablename__ = "row"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String)


engine = create_engine("sqlite://", connect_args={"check_same_thread": False}, poolclass=StaticPool)
Base.metadata.create_all(engine)
with Session(engine) as session:
    session.add_all([Row(id=number, name="n%d" % number) for number in range(1, 24)])
    session.commit()


class Item(BaseModel):
    id: int
    name: str
    model_config = {"from_attributes": True}


items = [Item(id=number, name="n%d" % number) for number in range(1, 24)]
app = FastAPI()


@app.get("/page", response_model=Page[Item])
def page():
    return paginate(items)


@app.get("/offset", response_model=LimitOffsetPage[Item])
def offset():
    return paginate(items)


@app.get("/links", response_model=LinksPage[Item])
def links():
    return paginate(items)


@app.get("/header", response_model=CustomizedPage[Page[Item], UseHeaderLinks()])
def header():
    return paginate(items)


@app.get("/cursor", response_model=CursorPage[Item])
def cursor():
    with Session(engine) as session:
        return paginate_query(session, select(Row).order_by(Row.id))


add_pagination(app)


@strawberry.type
class Entry(relay.Node):
    id: relay.NodeID[int]
    name: str

    @classmethod
    def resolve_nodes(cls, *, info, node_ids, required=False):
        return [cls(id=int(number), name="n%s" % number) for number in node_ids]


@strawberry.type
class Query:
    @relay.connection(relay.ListConnection[Entry])
    def items(self) -> Iterable[Entry]:
        return [Entry(id=number, name="n%d" % number) for number in range(1, 24)]


app.mount("/graphql", GraphQL(strawberry.Schema(query=Query)))

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
